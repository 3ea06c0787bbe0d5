// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/stats/binomial.hpp>
#include <wire/stats/quantiles.hpp>
#include <wire/stats/two_rates.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace wiregap {

/// What a comparison needs of a report of `wiregap probe`.
struct measured_run {
  struct per_size {
    std::uint64_t request_bytes{}, response_bytes{};
    std::uint64_t requests{}, over_good{}, over_bad{};
    std::vector<wire::stats::bucket> buckets{};
  };
  struct setting {
    std::string name{};  ///< "tcp sack", "eth0 lro"
    std::string value{};
  };
  std::string file{};
  std::string server{}, began{};  ///< ISO 8601, so that times compare as text
  std::string problem{};          ///< why it ended early; empty otherwise
  std::chrono::nanoseconds took{}, good{}, bad{};
  std::vector<per_size> sizes{};
  std::vector<setting> host{};  ///< what the machine was set to, without what changes by itself
};

/// Two reports, or one of them, that cannot be compared; the text says why and what to do.
class not_comparable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a report. `file` names it in errors. Throws not_comparable when it is none, of another version, or
/// holds no requests.
measured_run parse_report(const std::string& text, const std::string& file);

enum class change : std::uint8_t {
  same,  ///< no difference shown
  better,
  worse,
  not_enough_data,  ///< they look different, but chance alone may do that
};

std::string_view name_of(change c) noexcept;

struct rate_change {
  std::uint64_t before{}, before_of{};
  std::uint64_t after{}, after_of{};
  wire::stats::interval before_rate{}, after_rate{};  ///< at 95 %
  double p{1};                                        ///< Fisher's exact test, two-sided
  double adjusted{1};                                 ///< for being one of many comparisons
  change is{};
  wire::stats::trials_needed needed{};  ///< when there is not enough data
};

struct quantile_change {
  double share{};  ///< 0.5, 0.9, 0.99, 0.999
  wire::stats::quantile_estimate before{}, after{};
  double p{1}, adjusted{1};
  change is{};
};

/// Requests of one size, or all of them.
struct compared_row {
  std::optional<std::uint64_t> request_bytes{}, response_bytes{};  ///< absent for all
  rate_change bad{}, good{};                                       ///< at or over the limit
  std::array<quantile_change, 4> quantiles{};
};

struct comparison {
  measured_run before{}, after{};
  compared_row all{};
  std::vector<compared_row> sizes{};
  change verdict{};
  std::string summary{};               ///< one sentence
  std::vector<std::string> remarks{};  ///< what speaks another language, or should be known
};

/// Did the change help? Throws not_comparable when limits or sizes differ.
///
/// Decides by the first of these that shows a difference: the rate over the bad limit, that over the good
/// limit, the same for single sizes, quantiles over all, quantiles of single sizes. Rates are compared by
/// Fisher's exact test, quantiles by the same test of how many exceed the common quantile; a quantile counts
/// only when it moved by a tenth and by a hundredth of the good limit as well. Of the two rates over all, and
/// of all the others together, each by Holm's method, a false alarm has a chance of at most 5 %.
///
/// All of it takes requests as independent of each other. Stalls that come in bursts make p-values too small:
/// several runs that agree say more than one long one.
comparison compare(measured_run before, measured_run after);

/// For a person.
std::string comparison_text(const comparison& of, bool color);

/// Its schema is bench/harness/compare.schema.json. Ends in a line end.
std::string comparison_json(const comparison& of);

}  // namespace wiregap
