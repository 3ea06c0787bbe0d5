// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tds::bytes {

using byte_span = std::span<const std::uint8_t>;

/// Text as it lies on the wire: UTF-16 code units, little endian, at any alignment. A view; the bytes belong
/// to the buffer it was read from. Every count that MS-TDS gives for such text is in code units.
class ucs2_view {
 public:
  constexpr ucs2_view() = default;
  /// `raw.size()` is rounded down to whole code units.
  constexpr explicit ucs2_view(byte_span raw) noexcept : raw_(raw.first(raw.size() & ~std::size_t{1})) {}

  constexpr std::size_t units() const noexcept { return raw_.size() / 2; }
  constexpr bool empty() const noexcept { return raw_.empty(); }
  constexpr byte_span raw() const noexcept { return raw_; }
  constexpr char16_t operator[](std::size_t i) const noexcept {
    return static_cast<char16_t>(raw_[2 * i] | (raw_[2 * i + 1] << 8));
  }

  /// As UTF-8; a lone surrogate becomes U+FFFD.
  std::string utf8() const;

  friend bool operator==(ucs2_view a, ucs2_view b) noexcept;

 private:
  byte_span raw_{};
};

/// The same text, owned.
class ucs2_string {
 public:
  ucs2_string() = default;
  /// From UTF-8; an invalid sequence becomes U+FFFD.
  explicit ucs2_string(std::string_view utf8);
  explicit ucs2_string(ucs2_view view) : raw_(view.raw().begin(), view.raw().end()) {}

  operator ucs2_view() const noexcept {
    return view();
  }  // NOLINT(google-explicit-constructor): as std::string does
  ucs2_view view() const noexcept {
    return ucs2_view{byte_span{reinterpret_cast<const std::uint8_t*>(raw_.data()), raw_.size()}};
  }
  std::size_t units() const noexcept { return raw_.size() / 2; }
  bool empty() const noexcept { return raw_.empty(); }

  /// Takes the text without a copy on the way, for passwords: `utf8` may hold invalid sequences as above.
  void assign(std::string_view utf8);
  void assign(ucs2_view view) {
    raw_.assign(reinterpret_cast<const char*>(view.raw().data()), view.raw().size());
  }
  /// Overwrites the text and becomes empty.
  void wipe() noexcept;

  friend bool operator==(const ucs2_string&, const ucs2_string&) = default;

 private:
  std::string raw_;
};

/// Appends `view` to `out` as UTF-8. Returns false when a lone surrogate was replaced by U+FFFD.
bool append_utf8(std::string& out, ucs2_view view);

/// Appends `utf8` to `out` as UTF-16LE bytes. Returns false when an invalid sequence was replaced by U+FFFD.
bool append_ucs2(std::string& out, std::string_view utf8);
/// The same into a message under construction; allocates nothing while `out` has the capacity.
bool append_ucs2(std::vector<std::uint8_t>& out, std::string_view utf8);

}  // namespace tds::bytes
