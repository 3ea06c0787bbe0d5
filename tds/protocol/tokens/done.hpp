// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>
#include <tds/protocol/tokens/tokens.hpp>
#include <tds/protocol/version.hpp>

#include <cstdint>
#include <string>

namespace tds::protocol {

enum class done_status : std::uint16_t {
  more = 0x001,
  error = 0x002,
  inxact = 0x004,
  count = 0x010,
  attn = 0x020,
  rpcinbatch = 0x080,
  srverror = 0x100,
};

/// DONE, DONEPROC and DONEINPROC (MS-TDS 2.2.7.6 to 2.2.7.8): one struct, told apart by `type`.
struct done {
  token_type type{token_type::done};
  bytes::flag_set<done_status> status{};
  std::uint16_t cur_cmd{};
  std::uint64_t row_count{};  ///< valid only with done_status::count; 4 bytes on the wire before TDS 7.2

  bool more() const noexcept { return status.has(done_status::more); }
};

/// Reads what follows the token byte.
done read_done(bytes::reader& in, token_type type, tds_version version);
/// Writes the token byte and what follows it.
void write_done(bytes::writer& out, const done& token, tds_version version);
/// "MORE|COUNT", unknown bits in hex, "FINAL" for none.
std::string to_string(bytes::flag_set<done_status> status);
/// The same, as annotations look for it.
std::string name_of(bytes::flag_set<done_status> status);

}  // namespace tds::protocol
