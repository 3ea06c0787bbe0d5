// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/ucs2.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tds::bytes {

/// One field of a message as it was read: where it lies, what it is called, what it holds.
struct annotation {
  std::size_t offset{};   ///< from the start of the message, as decode_error counts
  std::size_t size{};     ///< in bytes; 0 for a group heading
  std::string field{};    ///< MS-TDS's name in snake_case
  std::string value{};    ///< the plain value: a number in decimal, text in quotes, bytes in hex
  std::string meaning{};  ///< what the value stands for ("MORE|COUNT", "LOGIN7"), may be empty
  std::uint32_t depth{};  ///< nesting below the message
  bool secret{};          ///< a password, a token or an SSPI blob: hidden unless somebody asks
};

/// Collects annotations while a reader reads. Attach it with reader::annotate(); a decoder needs no second
/// code path.
class annotations {
 public:
  const std::vector<annotation>& items() const noexcept { return items_; }
  std::vector<annotation> take() { return std::exchange(items_, {}); }
  void clear() { items_.clear(); }

  void number(std::size_t offset, std::size_t size, const char* field, std::uint64_t value);
  void bytes(std::size_t offset, byte_span raw, const char* field);
  void text(std::size_t offset, ucs2_view view, const char* field);
  /// A value whose name comes from the message itself: a cell under its column's name.
  void value(std::size_t offset, std::size_t size, std::string field, std::string printed);

  /// Says what the newest annotation's value stands for.
  void meaning(std::string text);
  /// Marks the newest annotation as a secret.
  void secret();
  /// Removes what was noted after the collector had `size` items: a decoder that wants more input has no
  /// effect.
  void rewind(std::size_t size) { items_.resize(size); }

  /// A heading (a token, a column) below which later annotations are nested until close().
  void open(std::size_t offset, std::string name, std::string value = {});
  void close() noexcept { depth_ -= depth_ > 0 ? 1 : 0; }

 private:
  annotation& add(std::size_t offset, std::size_t size, const char* field);

  std::vector<annotation> items_;
  std::uint32_t depth_ = 0;
};

/// Bytes as "01 1F 20"; more than `limit` are cut with their number named.
std::string hex(byte_span raw, std::size_t limit = 32);

}  // namespace tds::bytes
