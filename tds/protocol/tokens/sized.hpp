// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/bytes/writer.hpp>

#include <concepts>
#include <cstddef>
#include <limits>

// Token bodies behind a length field. Used by the tokens' own sources only.

namespace tds::protocol {

/// What went wrong in a reader over a part of `in` goes wrong in `in`. A part that ends too early or too late
/// contradicts the length that cut it out: no more input mends that.
inline void adopt_failure(bytes::reader& in, const bytes::reader& part, const char* name) noexcept {
  if (part.state() == bytes::read_state::good) {
    if (part.remaining() != 0) in.fail_at(errc::bad_length, name, part.offset());
    return;
  }
  const decode_error error = part.error();
  in.fail_at(error.code == errc::incomplete ? errc::bad_length : error.code, error.field, error.offset);
}

/// Reads a body of `size` bytes through `read`, which must take all of it.
template <class Read>
void read_sized(bytes::reader& in, std::size_t size, const char* name, Read&& read) {
  bytes::reader body = in.sub(size, name);
  if (!in.ok()) return;
  read(body);
  adopt_failure(in, body, name);
}

/// Writes a length field of type `Length` and what `write` writes behind it. False when `write` says so or
/// the body is too long for the field.
template <std::unsigned_integral Length, class Write>
[[nodiscard]] bool write_sized(bytes::writer& out, Write&& write) {
  const std::size_t at = out.size();
  out.le(Length{0});
  const bool fits = write();
  const std::size_t size = out.size() - at - sizeof(Length);
  out.patch_le(at, static_cast<Length>(size));
  return fits && size <= std::numeric_limits<Length>::max();
}

}  // namespace tds::protocol
