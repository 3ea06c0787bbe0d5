// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/colmetadata.hpp>
#include <tds/protocol/tokens/done.hpp>
#include <tds/protocol/tokens/envchange.hpp>
#include <tds/protocol/tokens/loginack.hpp>
#include <tds/protocol/tokens/message.hpp>
#include <tds/protocol/tokens/result_extras.hpp>
#include <tds/protocol/tokens/row.hpp>

#include <cstdint>
#include <memory>
#include <variant>

namespace tds::protocol {

/// ALTROW: a row of the ALTMETADATA with the same id.
struct altrow {
  std::uint16_t id{};
  row values{};
};

/// Any token of a response. Views inside it live until more bytes are fed to the stream it came from.
using token = std::variant<std::monostate, row, done, metadata_ptr, message_token, envchange, order,
                           returnstatus, returnvalue, loginack, featureextack, sessionstate, tabname, colinfo,
                           altrow, std::shared_ptr<const altmetadata>, sspi_token, fedauthinfo, offset_token,
                           dataclassification>;

/// Writes any token, its token byte included. A row is written from its bytes as it was received, every other
/// token from its values. `type` tells a ROW from an NBCROW and is ignored for every other kind;
/// `classification` is the version of data classification. False when the token does not fit the wire.
[[nodiscard]] bool write_token(bytes::writer& out, const token& t, token_type type, tds_version version,
                               std::uint8_t classification = 0);

}  // namespace tds::protocol
