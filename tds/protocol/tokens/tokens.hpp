// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string_view>

namespace tds::protocol {

/// The tokens of a response stream (MS-TDS 2.2.7).
enum class token_type : std::uint8_t {
  returnstatus = 0x79,
  offset = 0x78,
  colmetadata = 0x81,
  altmetadata = 0x88,
  dataclassification = 0xA3,
  tabname = 0xA4,
  colinfo = 0xA5,
  order = 0xA9,
  error = 0xAA,
  info = 0xAB,
  returnvalue = 0xAC,
  loginack = 0xAD,
  featureextack = 0xAE,
  row = 0xD1,
  nbcrow = 0xD2,
  altrow = 0xD3,
  envchange = 0xE3,
  sessionstate = 0xE4,
  sspi = 0xED,
  fedauthinfo = 0xEE,
  done = 0xFD,
  doneproc = 0xFE,
  doneinproc = 0xFF,
};

/// "COLMETADATA", or "unknown".
std::string_view name_of(token_type type) noexcept;

}  // namespace tds::protocol
