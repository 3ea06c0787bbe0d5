// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/annotations.hpp>
#include <tds/bytes/error.hpp>
#include <tds/bytes/ucs2.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tds::bytes {

/// How a reader stands. `incomplete` and `bad` are sticky: every read after them yields zeros and empty
/// views, so a decoder reads straight through and asks once at its end.
enum class read_state : std::uint8_t {
  good,
  incomplete,  ///< a read went past the end of what is there: more input may mend it
  bad,         ///< the bytes are wrong: no more input mends it
};

/// A bounds-checked cursor over bytes that belong to somebody else. Never allocates unless annotations are
/// collected.
///
/// `origin` is what offsets in errors count from: the offset of data[0] in its message.
class reader {
 public:
  explicit reader(byte_span data, std::size_t origin = 0) noexcept
      : begin_(data.data()), at_(data.data()), end_(data.data() + data.size()), origin_(origin) {}

  /// Every later read is noted in `notes` too (nullptr: no longer). Costs one branch a read when off.
  void annotate(annotations* notes) noexcept { notes_ = notes; }
  annotations* notes() const noexcept { return notes_; }
  /// Says what the value just read stands for; `text` is called only when annotations are collected.
  template <class Text>
  void meaning(Text&& text) {
    if (notes_ != nullptr && ok()) notes_->meaning(text());
  }
  /// The value just read is a secret.
  void secret() {
    if (notes_ != nullptr && ok()) notes_->secret();
  }

  read_state state() const noexcept { return state_; }
  bool ok() const noexcept { return state_ == read_state::good; }
  /// Bytes read so far.
  std::size_t position() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
  std::size_t remaining() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  /// position() counted from the start of the message.
  std::size_t offset() const noexcept { return origin_ + position(); }
  /// Why the reader is no longer good; `code` is errc::incomplete when input is missing.
  decode_error error() const { return {code_, failed_at_, field_, {}}; }

  /// Marks the input as wrong at the current offset. The first failure stays.
  void fail(errc code, const char* field) noexcept { fail_at(code, field, offset()); }
  void fail_at(errc code, const char* field, std::size_t offset) noexcept {
    if (state_ != read_state::good) return;
    state_ = code == errc::incomplete ? read_state::incomplete : read_state::bad;
    code_ = code;
    field_ = field;
    failed_at_ = offset;
    at_ = end_;
  }

  /// Takes over the failure of a part of this input whose size was given (see sub()): what is missing in it
  /// never comes, so `incomplete` becomes `bad_length`.
  void adopt_failure(const reader& part) noexcept {
    if (part.ok()) return;
    fail_at(part.code_ == errc::incomplete ? errc::bad_length : part.code_, part.field_, part.failed_at_);
  }

  template <std::integral T>
  T le(const char* field) {
    return integer<T, false>(field);
  }
  template <std::integral T>
  T be(const char* field) {
    return integer<T, true>(field);
  }
  std::uint8_t u8(const char* field) { return le<std::uint8_t>(field); }
  std::uint16_t u16(const char* field) { return le<std::uint16_t>(field); }
  std::uint32_t u32(const char* field) { return le<std::uint32_t>(field); }
  std::uint64_t u64(const char* field) { return le<std::uint64_t>(field); }
  std::uint8_t peek_u8() const noexcept { return at_ != end_ ? *at_ : std::uint8_t{0}; }

  /// The next `size` bytes as a view.
  byte_span bytes(std::size_t size, const char* field) {
    const byte_span view = take(size, field);
    if (notes_ != nullptr && ok()) notes_->bytes(offset() - size, view, field);
    return view;
  }
  void skip(std::size_t size, const char* field) { (void)bytes(size, field); }
  /// `units` UTF-16 code units as a view.
  ucs2_view ucs2(std::size_t units, const char* field) {
    const ucs2_view view{take(2 * units, field)};
    if (notes_ != nullptr && ok()) notes_->text(offset() - 2 * units, view, field);
    return view;
  }

  /// MS-TDS 2.2.5.2.2: B_VARCHAR, US_VARCHAR (text counted in code units), B_VARBYTE, US_VARBYTE, L_VARBYTE
  /// (bytes).
  ucs2_view b_varchar(const char* field) { return ucs2(u8(field), field); }
  ucs2_view us_varchar(const char* field) { return ucs2(u16(field), field); }
  byte_span b_varbyte(const char* field) { return bytes(u8(field), field); }
  byte_span us_varbyte(const char* field) { return bytes(u16(field), field); }
  byte_span l_varbyte(const char* field) { return bytes(u32(field), field); }

  /// What is left, as a view; the reader is at its end afterwards.
  byte_span rest() noexcept {  // not annotated: the caller hands it on
    const byte_span view{at_, remaining()};
    at_ = end_;
    return view;
  }

  /// A reader over the next `size` bytes with offsets that count on; this reader steps over them.
  reader sub(std::size_t size, const char* field) {
    const std::size_t start = offset();
    reader inner{take(size, field), start};
    inner.notes_ = notes_;
    return inner;
  }

 private:
  byte_span take(std::size_t size, const char* field) noexcept {
    if (size > remaining()) {
      fail(errc::incomplete, field);
      return {};
    }
    const byte_span view{at_, size};
    at_ += size;
    return view;
  }

  template <std::integral T, bool Big>
  T integer(const char* field) {
    if (sizeof(T) > remaining()) {
      fail(errc::incomplete, field);
      return T{0};
    }
    std::make_unsigned_t<T> value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const std::size_t shift = 8 * (Big ? sizeof(T) - 1 - i : i);
      value = static_cast<std::make_unsigned_t<T>>(value | (static_cast<std::uint64_t>(at_[i]) << shift));
    }
    at_ += sizeof(T);
    if (notes_ != nullptr) notes_->number(offset() - sizeof(T), sizeof(T), field, value);
    return static_cast<T>(value);
  }

  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  annotations* notes_ = nullptr;
  std::size_t origin_;
  std::size_t failed_at_ = 0;
  const char* field_ = "";
  errc code_ = errc::incomplete;
  read_state state_ = read_state::good;
};

}  // namespace tds::bytes
