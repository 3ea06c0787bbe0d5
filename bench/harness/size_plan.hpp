// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace wiregap {

/// One kind of request of a probe: so many bytes out, so many bytes of value in. Its text is made once, so
/// that the server sees as many statements as there are sizes and its plan cache stays clean.
struct probe_size {
  std::uint32_t request_bytes{};   ///< of the whole request, packet headers included, TLS not; at least the
                                   ///< smallest possible
  std::uint32_t response_bytes{};  ///< of the one value in the answer; 0 for the smallest answer
  std::string sql{};

  /// "3000 B", "60 B, answer 8000 B"
  std::string label() const;
};

/// What each batch of a plan shows of the server's clock.
enum class batch_clock : std::uint8_t {
  none,
  both_ends,  ///< its first and its last result are that clock, see with_clock()
};

/// A size plan that cannot be read; says which part and what is allowed.
class bad_sizes : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A request of `request_bytes` (as near as UTF-16 allows, padded by a comment; what shows the clock counts
/// in it) whose answer is one value of `response_bytes`.
probe_size make_probe_size(std::uint32_t request_bytes, std::uint32_t response_bytes, std::size_t packet_size,
                           batch_clock clock = batch_clock::none);

/// A statement of the user's own, in UTF-8, with nothing added but what shows the clock. Its answer is
/// whatever comes. Throws bad_sizes when it is empty or no UTF-8.
probe_size make_own_statement(std::string_view sql, std::size_t packet_size,
                              batch_clock clock = batch_clock::none);

/// The smallest request there is; below, at and above one TCP segment of Ethernet; below and above one TDS
/// packet; several of each; and the same for answers.
std::vector<probe_size> default_sizes(std::size_t packet_size, batch_clock clock = batch_clock::none);

/// "64,1400,3000:64,64:8000": request sizes, each with the answer's size behind a colon when it should have
/// one. Throws bad_sizes.
std::vector<probe_size> parse_sizes(std::string_view text, std::size_t packet_size,
                                    batch_clock clock = batch_clock::none);

}  // namespace wiregap
