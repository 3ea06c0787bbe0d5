// SPDX-License-Identifier: BSL-1.0
// The one file that uses ICU: it knows the character sets, and is asked once for each.
#include <tds/bytes/utf8.hpp>
#include <tds/protocol/types/code_page_tables.hpp>

#include <unicode/ucnv.h>

#include <optional>
#include <string_view>

namespace tds::protocol {
namespace {

using enum code_page;

// Names that stand for the tables of Windows exactly; an alias such as "cp936" may mean another vendor's.
const char* icu_name(code_page page) noexcept {
  switch (page) {
    case cp437:
      return "ibm-437_P100-1995";
    case cp850:
      return "ibm-850_P100-1995";
    case cp874:
      return "windows-874-2000";
    case cp932:
      return "ibm-943_P15A-2003";
    case cp936:
      return "windows-936-2000";
    case cp949:
      return "windows-949-2000";
    case cp950:
      return "windows-950-2000";
    case cp1250:
      return "ibm-5346_P100-1998";
    case cp1251:
      return "ibm-5347_P100-1998";
    case cp1252:
      return "ibm-5348_P100-1997";
    case cp1253:
      return "ibm-5349_P100-1998";
    case cp1254:
      return "ibm-5350_P100-1998";
    case cp1255:
      return "ibm-9447_P100-2002";
    case cp1256:
      return "ibm-9448_X100-2005";
    case cp1257:
      return "ibm-9449_P100-2002";
    case cp1258:
      return "ibm-5354_P100-1998";
    case utf8:
      break;
  }
  return nullptr;
}

class converter {
 public:
  explicit converter(code_page page) {
    const char* name = icu_name(page);
    if (name == nullptr) return;
    UErrorCode status = U_ZERO_ERROR;
    handle_.reset(ucnv_open(name, &status));
    ucnv_setToUCallBack(handle_.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
    ucnv_setFromUCallBack(handle_.get(), UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
    if (U_FAILURE(status) != 0) handle_.reset();
  }

  explicit operator bool() const noexcept { return handle_ != nullptr; }

  struct decoded {
    char16_t unit;  // 0 unless the bytes are exactly one character
    bool truncated;
  };
  decoded decode(std::string_view bytes) const {
    std::array<char16_t, 4> out{};
    UErrorCode status = U_ZERO_ERROR;
    const auto size = ucnv_toUChars(handle_.get(), out.data(), static_cast<std::int32_t>(out.size()),
                                    bytes.data(), static_cast<std::int32_t>(bytes.size()), &status);
    const bool one = U_SUCCESS(status) != 0 && size == 1;
    return {one ? out[0] : char16_t{0}, status == U_TRUNCATED_CHAR_FOUND};
  }

  // The byte or the pair, 0 for none.
  std::uint16_t encode(char16_t unit) const {
    std::array<char, 8> out{};
    UErrorCode status = U_ZERO_ERROR;
    const auto size =
        ucnv_fromUChars(handle_.get(), out.data(), static_cast<std::int32_t>(out.size()), &unit, 1, &status);
    if (U_FAILURE(status) != 0 || size < 1 || size > 2) return 0;
    const auto byte = [&](std::size_t i) {
      return static_cast<unsigned>(static_cast<unsigned char>(out[i]));
    };
    return static_cast<std::uint16_t>(size == 1 ? byte(0) : byte(0) * 256 + byte(1));
  }

 private:
  struct close {
    void operator()(UConverter* handle) const noexcept { ucnv_close(handle); }
  };
  std::unique_ptr<UConverter, close> handle_{};
};

// One byte's character: ICU's, but for what its IBM tables have differently from Windows. Those swap the
// control characters 1A, 1C and 7F, and take E6 of code page 437 for a Greek letter instead of the micro
// sign.
char16_t windows_unit(code_page page, unsigned byte, char16_t icu) noexcept {
  if (byte < 0x80) return static_cast<char16_t>(byte);
  return page == cp437 && byte == 0xE6 ? char16_t{0xB5} : icu;
}

void load_pairs(decode_table& table, const converter& icu, unsigned lead) {
  if (table.pairs.empty()) table.pairs.resize(std::size_t{0x80} * 256);
  for (unsigned trail = 0x30; trail < 0x100; ++trail) {
    const char bytes[2] = {static_cast<char>(lead), static_cast<char>(trail)};
    table.pairs[(lead - std::size_t{0x80}) * 256 + trail] = icu.decode({bytes, 2}).unit;
  }
}

std::optional<decode_table> load_decode_table(code_page page) {
  const converter icu{page};
  if (!icu) return std::nullopt;
  decode_table table;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char raw = static_cast<char>(byte);
    const auto decoded = icu.decode({&raw, 1});
    const char16_t unit = windows_unit(page, byte, decoded.unit);
    if (unit != 0 || byte == 0) {
      std::array<char, 4> utf8_bytes{};
      auto& entry = table.single[byte];
      entry.size = static_cast<std::uint8_t>(bytes::put_utf8(utf8_bytes.data(), unit));
      entry.utf8 = {utf8_bytes[0], utf8_bytes[1], utf8_bytes[2]};
    } else if (decoded.truncated) {
      table.is_lead[byte] = true;
      load_pairs(table, icu, byte);
    }
  }
  return table;
}

// The reverse of the decode table. Where several pairs stand for one character, ICU knows which one Windows
// writes.
std::optional<encode_table> load_encode_table(code_page page) {
  const converter icu{page};
  const decode_table* decode = decode_table_of(page);
  if (!icu || decode == nullptr) return std::nullopt;
  encode_table table(0x10000);
  for (unsigned byte = 0x80; byte < 256; ++byte) {
    const auto& entry = decode->single[byte];
    if (entry.size == 0) continue;
    const auto scalar = bytes::next_utf8({entry.utf8.data(), entry.size}, 0);
    table[scalar.value] = static_cast<std::uint16_t>(byte);
  }
  for (std::size_t i = 0; i < decode->pairs.size(); ++i) {
    const char16_t unit = decode->pairs[i];
    if (unit == 0) continue;
    auto& entry = table[unit];
    const bool repeated = entry != 0;
    if (!repeated) entry = static_cast<std::uint16_t>(i + std::size_t{0x80} * 256);
    if (const std::uint16_t preferred = repeated ? icu.encode(unit) : std::uint16_t{0}) entry = preferred;
  }
  return table;
}

template <code_page Page>
const decode_table* kept_decode_table() {
  static const auto table = load_decode_table(Page);
  return table ? &*table : nullptr;
}
template <code_page Page>
const encode_table* kept_encode_table() {
  static const auto table = load_encode_table(Page);
  return table ? &*table : nullptr;
}

// Calls `action` with the character set as a template argument.
template <class Action>
auto with_page(code_page page, Action action) -> decltype(action.template operator()<cp1252>()) {
  switch (page) {
    case cp437:
      return action.template operator()<cp437>();
    case cp850:
      return action.template operator()<cp850>();
    case cp874:
      return action.template operator()<cp874>();
    case cp932:
      return action.template operator()<cp932>();
    case cp936:
      return action.template operator()<cp936>();
    case cp949:
      return action.template operator()<cp949>();
    case cp950:
      return action.template operator()<cp950>();
    case cp1250:
      return action.template operator()<cp1250>();
    case cp1251:
      return action.template operator()<cp1251>();
    case cp1252:
      return action.template operator()<cp1252>();
    case cp1253:
      return action.template operator()<cp1253>();
    case cp1254:
      return action.template operator()<cp1254>();
    case cp1255:
      return action.template operator()<cp1255>();
    case cp1256:
      return action.template operator()<cp1256>();
    case cp1257:
      return action.template operator()<cp1257>();
    case cp1258:
      return action.template operator()<cp1258>();
    case utf8:
      break;
  }
  return nullptr;
}

}  // namespace

const decode_table* decode_table_of(code_page page) {
  return with_page(page, []<code_page Page>() { return kept_decode_table<Page>(); });
}

const encode_table* encode_table_of(code_page page) {
  return with_page(page, []<code_page Page>() { return kept_encode_table<Page>(); });
}

}  // namespace tds::protocol
