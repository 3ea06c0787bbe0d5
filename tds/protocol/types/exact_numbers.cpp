// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/families.hpp>
#include <tds/protocol/types/type_shape.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace tds::protocol {
namespace {

constexpr std::size_t max_digits = 38;

// A 128-bit magnitude in limbs of 32 bits, lowest first: portable, and wide enough for one step of long
// division.
class magnitude {
 public:
  magnitude() = default;
  magnitude(std::uint64_t low, std::uint64_t high) noexcept
      : limbs_{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32),
               static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32)} {}

  std::uint64_t low() const noexcept { return limbs_[0] | (std::uint64_t{limbs_[1]} << 32); }
  std::uint64_t high() const noexcept { return limbs_[2] | (std::uint64_t{limbs_[3]} << 32); }
  bool zero() const noexcept { return low() == 0 && high() == 0; }

  /// Divides by `by` and returns the remainder.
  std::uint32_t divide(std::uint32_t by) noexcept {
    std::uint64_t rest = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      const std::uint64_t part = (rest << 32) | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(part / by);
      rest = part % by;
    }
    return static_cast<std::uint32_t>(rest);
  }

  /// this * 10 + digit; false when 128 bits do not hold it.
  bool append_digit(std::uint32_t digit) noexcept {
    std::uint64_t carry = digit;
    for (std::uint32_t& limb : limbs_) {
      const std::uint64_t part = std::uint64_t{limb} * 10 + carry;
      limb = static_cast<std::uint32_t>(part);
      carry = part >> 32;
    }
    return carry == 0;
  }

 private:
  std::array<std::uint32_t, 4> limbs_{};
};

// The decimal digits, none for zero.
std::string digits_of(magnitude number) {
  std::string digits;
  while (!number.zero()) {
    std::uint32_t nine = number.divide(1'000'000'000);
    for (int i = 0; i < 9; ++i, nine /= 10) digits.push_back(static_cast<char>('0' + nine % 10));
  }
  while (digits.ends_with('0')) digits.pop_back();
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::size_t digit_count(magnitude number) noexcept {
  std::size_t count = 0;
  for (; !number.zero(); number.divide(10)) ++count;
  return count;
}

std::string with_point(std::string digits, std::size_t scale, bool negative) {
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  if (scale > 0) digits.insert(digits.size() - scale, 1, '.');
  if (negative) digits.insert(0, 1, '-');
  return digits;
}

// 10^38, the first number of 39 digits.
constexpr std::uint64_t limit_high = 0x4B3B4CA85A86C47A;
constexpr std::uint64_t limit_low = 0x098A224000000000;

bool has_39_digits(const decimal& v) noexcept {
  return v.high > limit_high || (v.high == limit_high && v.low >= limit_low);
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

}  // namespace

std::string to_string(const decimal& d) {
  const magnitude number{d.low, d.high};
  return with_point(digits_of(number), d.scale, d.negative && !number.zero());
}

result<decimal> parse_decimal(std::string_view text) {
  decimal parsed;
  if (text.starts_with('-')) {
    parsed.negative = true;
    text.remove_prefix(1);
  }
  const std::size_t point = text.find('.');
  const std::size_t behind = point == text.npos ? 0 : text.size() - point - 1;
  if (text.empty() || point == 0 || (point != text.npos && behind == 0)) return errc::bad_value;
  magnitude number;
  std::size_t significant = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == point) continue;
    if (!is_digit(text[i])) return errc::bad_value;
    if (significant > 0 || text[i] != '0') ++significant;
    if (significant > max_digits || !number.append_digit(static_cast<std::uint32_t>(text[i] - '0'))) {
      return errc::bad_value;
    }
  }
  if (behind > max_digits) return errc::bad_value;
  parsed.low = number.low();
  parsed.high = number.high();
  parsed.negative = parsed.negative && !number.zero();
  parsed.scale = static_cast<std::uint8_t>(behind);
  parsed.precision = static_cast<std::uint8_t>(std::max({significant, behind, std::size_t{1}}));
  return parsed;
}

std::string to_string(money m) {
  const bool negative = m.ten_thousandths < 0;
  const auto bits = static_cast<std::uint64_t>(m.ten_thousandths);
  const std::uint64_t size = negative ? 0 - bits : bits;
  return with_point(digits_of({size, 0}), 4, negative);
}

namespace detail {
namespace {

// The value at the column's scale; false where that would lose digits or overflow.
bool rescale(magnitude& number, std::uint8_t from, std::uint8_t to) noexcept {
  for (; from < to; ++from) {
    if (!number.append_digit(0)) return false;
  }
  for (; from > to; --from) {
    if (number.divide(10) != 0) return false;
  }
  return true;
}

small_payload payload_of_decimal(const type_info& type, const decimal& v) noexcept {
  small_payload out;
  magnitude number{v.low, v.high};
  if (v.scale > max_digits || !rescale(number, v.scale, type.scale)) return out;
  if (digit_count(number) > type.precision) return out;
  const std::size_t size = size_of_decimal(type.precision) - std::size_t{1};
  if (size >= type.max_length) return out;
  store(out, v.negative && !number.zero() ? 0 : 1, 1);
  store(out, number.low(), std::min<std::size_t>(size, 8));
  if (size > 8) store(out, number.high(), size - 8);
  return out;
}

small_payload payload_of_money(std::uint32_t size, money v) noexcept {
  small_payload out;
  const std::int64_t number = v.ten_thousandths;
  const auto bits = static_cast<std::uint64_t>(number);
  if (size == 8) {
    store(out, bits >> 32, 4);  // the more significant half comes first
    store(out, bits & 0xFFFFFFFF, 4);
  } else if (size == 4 && number >= std::numeric_limits<std::int32_t>::min() &&
             number <= std::numeric_limits<std::int32_t>::max()) {
    store(out, bits, 4);
  }
  return out;
}

}  // namespace

result<money> read_money(bytes::byte_span raw) noexcept {
  if (raw.size() == 4) return money{load<std::int32_t>(raw)};
  if (raw.size() != 8) return errc::bad_length;
  const std::uint64_t bits = (std::uint64_t{load<std::uint32_t>(raw)} << 32) | load<std::uint32_t>(raw, 4);
  return money{static_cast<std::int64_t>(bits)};
}

result<decimal> read_decimal(const type_info& type, bytes::byte_span raw) noexcept {
  const bool sized = raw.size() == 5 || raw.size() == 9 || raw.size() == 13 || raw.size() == 17;
  if (!sized) return errc::bad_length;
  if (raw[0] > 1) return errc::bad_value;
  decimal v;
  v.low = load_unsigned(raw.subspan(1, std::min<std::size_t>(8, raw.size() - 1)));
  if (raw.size() > 9) v.high = load_unsigned(raw.subspan(9));
  if (has_39_digits(v)) return errc::bad_value;
  v.negative = raw[0] == 0 && (v.low | v.high) != 0;
  v.precision = type.precision;
  v.scale = type.scale;
  return v;
}

small_payload payload_of_exact(const type_info& type, const value& v) noexcept {
  if (const auto* exact = std::get_if<decimal>(&v);
      exact != nullptr && family_of(type.type) == family::decimal) {
    return payload_of_decimal(type, *exact);
  }
  if (const auto* amount = std::get_if<money>(&v);
      amount != nullptr && family_of(type.type) == family::money) {
    return payload_of_money(type.max_length, *amount);
  }
  return {};
}

}  // namespace detail
}  // namespace tds::protocol
