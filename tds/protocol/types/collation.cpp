// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/code_page.hpp>
#include <tds/protocol/types/collation.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace tds::protocol {
namespace {

constexpr std::array<std::pair<collation_flag, std::string_view>, 8> flag_names{{
    {collation_flag::ignore_case, "ignore_case"},
    {collation_flag::ignore_accent, "ignore_accent"},
    {collation_flag::ignore_kana, "ignore_kana"},
    {collation_flag::ignore_width, "ignore_width"},
    {collation_flag::binary, "binary"},
    {collation_flag::binary2, "binary2"},
    {collation_flag::utf8, "utf8"},
    {collation_flag::reserved, "reserved"},
}};

std::string hex_lcid(std::uint32_t lcid) {
  std::string text = "0x";
  for (unsigned shift = 20; shift > 0; shift -= 4)
    text.push_back("0123456789ABCDEF"[(lcid >> (shift - 4)) & 15]);
  return text;
}

std::string explain_info(const collation& value) {
  std::string text = "lcid " + hex_lcid(value.lcid());
  std::string flags;
  for (const auto& [flag, name] : flag_names) {
    if (value.flags().has(flag)) flags.append(flags.empty() ? "" : "|").append(name);
  }
  if (!flags.empty()) text.append(", ").append(flags);
  return text.append(", version ").append(std::to_string(value.version()));
}

std::string explain_code_page(const collation& value) {
  if (value.is_raw()) return "raw";
  const auto page = code_page_of(value);
  return page ? std::string{name_of(*page)} : "unknown code page";
}

}  // namespace

collation read_collation(bytes::reader& in) {
  collation value;
  value.info = in.u32("collation_info");
  in.meaning([&] { return explain_info(value); });
  value.sort_id = in.u8("sort_id");
  in.meaning([&] { return explain_code_page(value); });
  return in.ok() ? value : collation{};
}

void write_collation(bytes::writer& out, const collation& value) {
  out.u32(value.info);
  out.u8(value.sort_id);
}

std::string explain(const collation& value) {
  return explain_info(value) + ", sort id " + std::to_string(value.sort_id) + ", " + explain_code_page(value);
}

}  // namespace tds::protocol
