// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/protocol/types/type_info.hpp>

#include <cstddef>
#include <cstdint>

namespace tds::protocol {

/// Where one value of a row lies, before anybody looks at it.
struct cell {
  enum class kind : std::uint8_t {
    null,
    plain,    ///< the value's bytes, contiguous
    chunked,  ///< PLP chunks, each with its 4-byte length, without the terminator
  };
  std::uint32_t offset{};  ///< from the row's first byte
  std::uint32_t size{};    ///< in bytes
  kind form{kind::null};
};

/// One value as it lies on the wire, with what is needed to decode it. A view: valid as long as the row's
/// buffer.
struct raw_value {
  const type_info* type{};
  bytes::byte_span bytes{};
  cell::kind form{cell::kind::null};

  bool is_null() const noexcept { return form == cell::kind::null; }
};

/// How far a scan got.
enum class scan_state : std::uint8_t { complete, incomplete, bad };

/// Finds the end of one value and remembers where it stood, so that a value that arrives in a thousand
/// packets is walked once. The input of every call starts at the same first byte of the row and may have
/// grown since the last call.
///
/// A PLP value of one chunk comes out as kind::plain, an empty one as plain of size 0.
class value_scanner {
 public:
  /// Begins the value at `offset` of the row.
  void begin(const type_info& type, std::size_t offset) noexcept;
  /// Goes on. `limit` bounds the size of one value in bytes.
  scan_state scan(bytes::byte_span row, std::size_t limit) noexcept;
  /// After complete: the value.
  cell found() const noexcept { return found_; }
  /// After complete: the offset behind the value. After bad: where it went wrong.
  std::size_t end() const noexcept { return at_; }
  /// After bad.
  errc error() const noexcept { return error_; }

 private:
  scan_state scan_plp(bytes::byte_span row, std::size_t limit) noexcept;
  scan_state finish_plp() noexcept;
  scan_state fail(errc error) noexcept;

  const type_info* type_ = nullptr;
  std::size_t at_ = 0;           // everything before it has been walked
  std::size_t start_ = 0;        // first byte of the value's payload
  std::size_t chunks_ = 0;       // PLP: chunks walked
  std::uint64_t announced_ = 0;  // PLP: the total length that the header announces
  std::uint64_t payload_ = 0;    // PLP: payload bytes walked
  bool header_read_ = false;
  cell found_{};
  errc error_{};
};

}  // namespace tds::protocol
