// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wire::host::detail {

using bytes = std::vector<std::uint8_t>;
using byte_view = std::span<const std::uint8_t>;

/// One attribute of a netlink message; a flag has no data.
struct attribute {
  std::uint16_t type{};  ///< without the flags for nesting and byte order
  byte_view data{};

  // Zero or empty when the data is too short for it.
  std::uint8_t u8() const noexcept { return number<std::uint8_t>(); }
  std::uint16_t u16() const noexcept { return number<std::uint16_t>(); }
  std::uint32_t u32() const noexcept { return number<std::uint32_t>(); }
  std::string_view text() const noexcept;  ///< up to its final zero

 private:
  template <class T>
  T number() const noexcept {
    T value{};
    if (data.size() >= sizeof value) std::memcpy(&value, data.data(), sizeof value);
    return value;
  }
};

/// Takes the first attribute off `rest`; nothing at the end, and nothing more behind one that is damaged.
std::optional<attribute> next_attribute(byte_view& rest) noexcept;

/// Calls visit(const attribute&) for each attribute in `data`, in order.
template <class Visitor>
void each_attribute(byte_view data, Visitor&& visit) {
  while (const auto found = next_attribute(data)) visit(*found);
}

/// The attributes of a request, one behind the other.
class attribute_writer {
 public:
  void add(std::uint16_t type, byte_view data);
  void add(std::uint16_t type, std::uint32_t value);
  void add(std::uint16_t type, std::string_view text);  ///< with a final zero
  void add_nested(std::uint16_t type, const attribute_writer& inner);
  const bytes& data() const noexcept { return data_; }

 private:
  bytes data_;
};

/// A netlink socket that asks one question after the other. The kernel answers within the call that asks;
/// should it not, a second's wait ends it.
class netlink_socket {
 public:
  /// Not open when the kernel has no such protocol or forbids it; then every question goes unanswered.
  explicit netlink_socket(int protocol) noexcept;
  ~netlink_socket();
  netlink_socket(const netlink_socket&) = delete;
  netlink_socket& operator=(const netlink_socket&) = delete;

  /// What stands behind the header of the answer's one message. Nothing when the kernel refuses (no such
  /// device, not supported) or does not answer.
  std::optional<bytes> ask(std::uint16_t type, byte_view header, const attribute_writer& attributes);

  /// The same for each message of a dump; what came until it broke off.
  std::vector<bytes> dump(std::uint16_t type, byte_view header, const attribute_writer& attributes);

 private:
  bool send(std::uint16_t type, std::uint16_t flags, byte_view header, const attribute_writer& attributes);
  bool receive();

  int socket_ = -1;
  std::uint32_t sequence_ = 0;
  bytes received_;
};

/// The bytes of a fixed header (genlmsghdr, rtmsg, ifinfomsg).
template <class T>
byte_view raw(const T& header) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(&header), sizeof header};
}

}  // namespace wire::host::detail
