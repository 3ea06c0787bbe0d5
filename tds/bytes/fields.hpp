// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/bytes/writer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace tds::bytes {

/// A set of flags over the bits of enum `E` (whose enumerators are masks). Bits that `E` does not name are
/// kept.
template <class E>
struct flag_set {
  using bits_type = std::underlying_type_t<E>;
  bits_type bits{};

  constexpr flag_set() = default;
  constexpr flag_set(E flag) : bits(static_cast<bits_type>(flag)) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit flag_set(bits_type raw) : bits(raw) {}

  constexpr bool has(E flag) const noexcept {
    return (bits & static_cast<bits_type>(flag)) == static_cast<bits_type>(flag) &&
           static_cast<bits_type>(flag) != 0;
  }
  constexpr flag_set& set(E flag, bool on = true) noexcept {
    const auto mask = static_cast<bits_type>(flag);
    bits = static_cast<bits_type>(on ? (bits | mask) : (bits & static_cast<bits_type>(~mask)));
    return *this;
  }
  friend constexpr flag_set operator|(flag_set a, flag_set b) noexcept {
    return flag_set{static_cast<bits_type>(a.bits | b.bits)};
  }
  friend constexpr bool operator==(flag_set, flag_set) = default;
};

// A message whose fields follow each other in a fixed order has one description,
//
//   template <class Self, class Visitor> static void describe(Self& self, Visitor& visit) {
//     visit.le("status", self.status);
//     visit.us_varchar("message", self.message);
//   }
//
// and the visitors below read it, write it and size it. Annotations come from the reader itself
// (reader::annotate), so a decoder that had to be written by hand is annotated just the same.

/// Fills a message from a reader. Views point into the reader's bytes.
class field_reader {
 public:
  explicit field_reader(reader& in) noexcept : in_(in) {}

  template <class T>
  void le(const char* name, T& value) {
    integer<false>(name, value);
  }
  template <class T>
  void be(const char* name, T& value) {
    integer<true>(name, value);
  }
  void b_varchar(const char* name, ucs2_view& v) { v = in_.b_varchar(name); }
  void us_varchar(const char* name, ucs2_view& v) { v = in_.us_varchar(name); }
  void b_varbyte(const char* name, byte_span& v) { v = in_.b_varbyte(name); }
  void us_varbyte(const char* name, byte_span& v) { v = in_.us_varbyte(name); }
  void l_varbyte(const char* name, byte_span& v) { v = in_.l_varbyte(name); }

 private:
  template <bool Big, class T>
  void integer(const char* name, T& value) {
    if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> raw{};
      integer<Big>(name, raw);
      value = static_cast<T>(raw);
      meaning(value);
    } else if constexpr (requires { value.bits; }) {
      integer<Big>(name, value.bits);
      meaning(value);
    } else if constexpr (Big) {
      value = in_.be<T>(name);
    } else {
      value = in_.le<T>(name);
    }
  }
  // An enum or a flag set with a name_of() of its own explains itself in annotations.
  template <class T>
  void meaning(const T& value) {
    if constexpr (requires { std::string{name_of(value)}; }) {
      in_.meaning([&value] { return std::string{name_of(value)}; });
    }
  }
  reader& in_;
};

/// Writes a message. `fits()` is false when a text or a byte string was too long for its length field.
class field_writer {
 public:
  explicit field_writer(writer& out) noexcept : out_(out) {}

  template <class T>
  void le(const char*, const T& value) {
    integer<false>(value);
  }
  template <class T>
  void be(const char*, const T& value) {
    integer<true>(value);
  }
  void b_varchar(const char*, ucs2_view v) { fits_ = out_.b_varchar(v) && fits_; }
  void us_varchar(const char*, ucs2_view v) { fits_ = out_.us_varchar(v) && fits_; }
  void b_varbyte(const char*, byte_span v) { fits_ = out_.b_varbyte(v) && fits_; }
  void us_varbyte(const char*, byte_span v) { fits_ = out_.us_varbyte(v) && fits_; }
  void l_varbyte(const char*, byte_span v) { fits_ = out_.l_varbyte(v) && fits_; }
  bool fits() const noexcept { return fits_; }

 private:
  template <bool Big, class T>
  void integer(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      integer<Big>(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (requires { value.bits; }) {
      integer<Big>(value.bits);
    } else if constexpr (Big) {
      out_.be(value);
    } else {
      out_.le(value);
    }
  }
  writer& out_;
  bool fits_ = true;
};

/// Counts the bytes that field_writer would write.
class field_sizer {
 public:
  template <class T>
  void le(const char*, const T&) {
    size_ += sizeof(T);
  }
  template <class T>
  void be(const char*, const T&) {
    size_ += sizeof(T);
  }
  void b_varchar(const char*, ucs2_view v) { size_ += 1 + v.raw().size(); }
  void us_varchar(const char*, ucs2_view v) { size_ += 2 + v.raw().size(); }
  void b_varbyte(const char*, byte_span v) { size_ += 1 + v.size(); }
  void us_varbyte(const char*, byte_span v) { size_ += 2 + v.size(); }
  void l_varbyte(const char*, byte_span v) { size_ += 4 + v.size(); }
  std::size_t size() const noexcept { return size_; }

 private:
  std::size_t size_ = 0;
};

template <class Message>
void read_fields(reader& in, Message& message) {
  field_reader visit{in};
  Message::describe(message, visit);
}

/// Returns false when a text or a byte string does not fit its length field (the output is then not a
/// message).
template <class Message>
[[nodiscard]] bool write_fields(writer& out, const Message& message) {
  field_writer visit{out};
  Message::describe(message, visit);
  return visit.fits();
}

template <class Message>
std::size_t size_of_fields(const Message& message) {
  field_sizer visit;
  Message::describe(message, visit);
  return visit.size();
}

}  // namespace tds::bytes
