// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/wmi_windows.hpp>

#include <wbemidl.h>
#include <windows.h>

namespace wire::host::detail {
namespace {

template <class T>
struct release_com {
  void operator()(T* object) const noexcept { object->Release(); }
};
template <class T>
using com = std::unique_ptr<T, release_com<T>>;

class bstr {
 public:
  explicit bstr(const wchar_t* text) : text_{::SysAllocString(text)} {}
  ~bstr() { ::SysFreeString(text_); }
  bstr(const bstr&) = delete;
  bstr& operator=(const bstr&) = delete;
  BSTR get() const noexcept { return text_; }

 private:
  BSTR text_;
};

class variant {
 public:
  variant(IWbemClassObject& object, const wchar_t* property) {
    ::VariantInit(&value_);
    if (FAILED(object.Get(property, 0, &value_, nullptr, nullptr))) value_.vt = VT_EMPTY;
  }
  ~variant() { ::VariantClear(&value_); }
  variant(const variant&) = delete;
  variant& operator=(const variant&) = delete;
  const VARIANT& operator*() const noexcept { return value_; }

 private:
  VARIANT value_;
};

constexpr long answer_limit_ms = 2000;

}  // namespace

std::string to_utf8(const wchar_t* text) {
  const int size = ::WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  if (size <= 1) return {};
  std::string out(static_cast<std::size_t>(size), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text, -1, out.data(), size, nullptr, nullptr);
  out.pop_back();  // the final zero
  return out;
}

std::optional<std::uint64_t> wmi_instance::number(const wchar_t* property) const {
  const variant value{object_, property};
  // WMI hands uint8 over as UI1, and uint16 and uint32 as I4 (MSDN, "Numbers").
  switch ((*value).vt) {
    case VT_UI1:
      return (*value).bVal;
    case VT_I4:
      return static_cast<std::uint32_t>((*value).lVal);
    default:
      return std::nullopt;
  }
}

std::optional<bool> wmi_instance::flag(const wchar_t* property) const {
  const variant value{object_, property};
  if ((*value).vt != VT_BOOL) return std::nullopt;
  return (*value).boolVal != VARIANT_FALSE;
}

std::optional<std::string> wmi_instance::text(const wchar_t* property) const {
  const variant value{object_, property};
  if ((*value).vt != VT_BSTR || (*value).bstrVal == nullptr) return std::nullopt;
  return to_utf8((*value).bstrVal);
}

void wmi::release::operator()(IWbemServices* services) const noexcept { services->Release(); }

wmi::wmi() {
  // A thread that chose the other threading model keeps it; WMI works in both.
  initialized_ = SUCCEEDED(::CoInitializeEx(nullptr, COINIT_MULTITHREADED));
  IWbemLocator* locator = nullptr;
  if (FAILED(::CoCreateInstance(CLSID_WbemLocator, nullptr, CLSCTX_INPROC_SERVER, IID_IWbemLocator,
                                reinterpret_cast<void**>(&locator)))) {
    return;
  }
  const com<IWbemLocator> owner{locator};
  const bstr name_space{L"ROOT\\StandardCimv2"};
  IWbemServices* services = nullptr;
  if (FAILED(locator->ConnectServer(name_space.get(), nullptr, nullptr, nullptr,
                                    WBEM_FLAG_CONNECT_USE_MAX_WAIT, nullptr, nullptr, &services))) {
    return;
  }
  services_.reset(services);
  if (FAILED(::CoSetProxyBlanket(services, RPC_C_AUTHN_WINNT, RPC_C_AUTHZ_NONE, nullptr,
                                 RPC_C_AUTHN_LEVEL_CALL, RPC_C_IMP_LEVEL_IMPERSONATE, nullptr, EOAC_NONE))) {
    services_.reset();
  }
}

wmi::~wmi() {
  services_.reset();
  if (initialized_) ::CoUninitialize();
}

void wmi::each(const std::wstring& class_name, const std::function<void(const wmi_instance&)>& visit) {
  if (!services_) return;
  const bstr language{L"WQL"};
  const bstr query{(L"SELECT * FROM " + class_name).c_str()};
  IEnumWbemClassObject* found = nullptr;
  if (FAILED(services_->ExecQuery(language.get(), query.get(),
                                  WBEM_FLAG_FORWARD_ONLY | WBEM_FLAG_RETURN_IMMEDIATELY, nullptr, &found))) {
    return;
  }
  const com<IEnumWbemClassObject> owner{found};
  for (;;) {
    IWbemClassObject* object = nullptr;
    ULONG count = 0;
    if (found->Next(answer_limit_ms, 1, &object, &count) != WBEM_S_NO_ERROR || count == 0) return;
    const com<IWbemClassObject> one{object};
    visit(wmi_instance{*object});
  }
}

}  // namespace wire::host::detail
