// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

struct IWbemClassObject;
struct IWbemServices;

namespace wire::host::detail {

std::string to_utf8(const wchar_t* text);

/// An instance of a WMI class, during a visit.
class wmi_instance {
 public:
  explicit wmi_instance(IWbemClassObject& object) noexcept : object_{object} {}

  // Absent when there is no such property, or it is null or of another type.
  std::optional<std::uint64_t> number(const wchar_t* property) const;
  std::optional<bool> flag(const wchar_t* property) const;
  std::optional<std::string> text(const wchar_t* property) const;

 private:
  IWbemClassObject& object_;
};

/// The classes of ROOT\StandardCimv2, in which Get-NetOffloadGlobalSetting, Get-NetAdapterRsc and
/// Get-NetTCPSetting look as well. Windows 8 and Server 2012 or later; before, nothing is found.
class wmi {
 public:
  wmi();
  ~wmi();
  wmi(const wmi&) = delete;
  wmi& operator=(const wmi&) = delete;

  /// Calls visit for every instance of the class; each is waited for at most two seconds.
  void each(const std::wstring& class_name, const std::function<void(const wmi_instance&)>& visit);

 private:
  struct release {
    void operator()(IWbemServices* services) const noexcept;
  };
  bool initialized_ = false;
  std::unique_ptr<IWbemServices, release> services_;
};

}  // namespace wire::host::detail
