// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/result_extras.hpp>
#include <tds/protocol/tokens/sized.hpp>

#include <limits>

namespace tds::protocol {
namespace {

bool in_parts(tds_version version) noexcept { return version >= tds_version::v7_1; }

std::vector<bytes::ucs2_view> read_name(bytes::reader& in, tds_version version) {
  std::vector<bytes::ucs2_view> parts;
  const unsigned count = in_parts(version) ? in.u8("num_parts") : 1U;
  for (unsigned i = 0; i < count && in.ok(); ++i) {
    const bytes::ucs2_view part = in.us_varchar("part_name");
    if (in.ok()) parts.push_back(part);
  }
  return parts;
}

}  // namespace

tabname read_tabname(bytes::reader& in, tds_version version, const decode_limits& limits) {
  tabname token;
  const std::uint16_t length = in.u16("length");
  read_sized(in, length, "tabname", [&](bytes::reader& body) {
    while (body.ok() && body.remaining() != 0) {
      // No more tables than columns: each of them names the table that a column comes from.
      if (token.tables.size() == limits.max_columns) body.fail(errc::limit_exceeded, "table_name");
      std::vector<bytes::ucs2_view> name = read_name(body, version);
      if (body.ok()) token.tables.push_back(std::move(name));
    }
  });
  return token;
}

bool write_tabname(bytes::writer& out, const tabname& token, tds_version version) {
  out.u8(static_cast<std::uint8_t>(token_type::tabname));
  return write_sized<std::uint16_t>(out, [&] {
    bool fits = true;
    for (const auto& parts : token.tables) {
      const std::size_t most = in_parts(version) ? std::numeric_limits<std::uint8_t>::max() : 1U;
      fits = fits && parts.size() <= most && (in_parts(version) || !parts.empty());
      if (in_parts(version)) out.u8(static_cast<std::uint8_t>(parts.size()));
      for (const bytes::ucs2_view part : parts) fits = out.us_varchar(part) && fits;
    }
    return fits;
  });
}

}  // namespace tds::protocol
