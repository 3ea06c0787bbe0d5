// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/ucs2.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tds::bytes {

using buffer = std::vector<std::uint8_t>;

/// Appends values to a buffer in the wire's order. Lengths that do not fit their field are the caller's to
/// check: the
/// `*_var*` members return false and write nothing when the text or the bytes are too long for the field.
class writer {
 public:
  explicit writer(buffer& out) noexcept : out_(out), start_(out.size()) {}

  /// Bytes written through this writer.
  std::size_t size() const noexcept { return out_.size() - start_; }

  template <std::integral T>
  void le(T value) {
    put<T, false>(value, out_.size());
  }
  template <std::integral T>
  void be(T value) {
    put<T, true>(value, out_.size());
  }
  void u8(std::uint8_t value) { out_.push_back(value); }
  void u16(std::uint16_t value) { le(value); }
  void u32(std::uint32_t value) { le(value); }
  void u64(std::uint64_t value) { le(value); }
  void bytes(byte_span value) { out_.insert(out_.end(), value.begin(), value.end()); }
  void ucs2(ucs2_view value) { bytes(value.raw()); }
  /// UTF-8 as UTF-16LE. False when an invalid sequence was replaced by U+FFFD.
  bool ucs2_from_utf8(std::string_view utf8) { return append_ucs2(out_, utf8); }
  void zeros(std::size_t count) { out_.resize(out_.size() + count); }

  bool b_varchar(ucs2_view v) { return counted<std::uint8_t>(v.units(), v.raw()); }
  bool us_varchar(ucs2_view v) { return counted<std::uint16_t>(v.units(), v.raw()); }
  bool b_varbyte(byte_span v) { return counted<std::uint8_t>(v.size(), v); }
  bool us_varbyte(byte_span v) { return counted<std::uint16_t>(v.size(), v); }
  bool l_varbyte(byte_span v) { return counted<std::uint32_t>(v.size(), v); }

  /// Overwrites an earlier little-endian field; `at` counts from where this writer started.
  template <std::integral T>
  void patch_le(std::size_t at, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      out_[start_ + at + i] =
          static_cast<std::uint8_t>(static_cast<std::make_unsigned_t<T>>(value) >> (8 * i));
    }
  }

 private:
  template <std::integral Count>
  bool counted(std::size_t count, byte_span raw) {
    if (count > static_cast<std::size_t>(static_cast<Count>(~Count{0}))) return false;
    le(static_cast<Count>(count));
    bytes(raw);
    return true;
  }
  template <std::integral T, bool Big>
  void put(T value, std::size_t at) {
    out_.resize(at + sizeof(T));
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const std::size_t shift = 8 * (Big ? sizeof(T) - 1 - i : i);
      out_[at + i] = static_cast<std::uint8_t>(static_cast<std::make_unsigned_t<T>>(value) >> shift);
    }
  }

  buffer& out_;
  std::size_t start_;
};

}  // namespace tds::bytes
