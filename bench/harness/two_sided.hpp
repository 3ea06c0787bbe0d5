// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/analysis.hpp>

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wiregap {

/// An exchange as one of two captures shows it; alone, until its other half is found.
struct seen_exchange {
  wire::capture::end_point client{}, server{};
  std::uint32_t request_seq{}, response_seq{};  ///< behind the last byte of either
  wire::diagnose::request_ref id{};
  tds::capture::request_kind kind{};
  std::string statement{};
  wire::clock::stamp sent_first{}, sent{}, answered{}, answered_last{};
  std::optional<std::chrono::nanoseconds> think{};
  tds::capture::carried request{}, response{};
};

/// The same exchange at both ends.
struct both_views {
  seen_exchange at_client{}, at_server{};
};

/// The server capture's clock minus the client capture's, as far as the fastest packets of either way tell.
struct clock_relation {
  std::chrono::nanoseconds offset{};  ///< at the first exchange
  std::chrono::nanoseconds error{};   ///< either way
  double drift_ppm{};                 ///< how much faster the server capture's clock runs
  wire::clock::stamp from{};          ///< the first exchange, on the client capture's clock
};

/// Where the time of one exchange lay. They add up to the time from its last request byte to its first answer
/// byte at the client; how the path divides into its two ways rests on the clocks' relation.
struct divided_gap {
  std::chrono::nanoseconds request_path{}, server{}, response_path{};
};

/// What happened to PSH, segments and copies between the two points of capture, over all exchanges.
struct path_account {
  std::uint64_t requests_lost_push{};   ///< whose last segment had PSH at the client and not at the server
  std::uint64_t responses_lost_push{};  ///< the other way round
  std::uint64_t requests_merged{},
      responses_merged{};                             ///< that came in fewer segments than they were sent in
  std::uint64_t requests_split{}, responses_split{};  ///< that came in more
  std::uint64_t request_segments_lost{},
      response_segments_lost{};  ///< sent again, and the first copy never came
};

/// Two captures of the same traffic laid upon each other by TCP's sequence numbers.
struct two_sided {
  bool swapped = false;  ///< the first file was the server's
  std::uint64_t only_at_client{}, only_at_server{};
  clock_relation clocks{};
  path_account path{};
  wire::stats::histogram request_path{}, server{}, response_path{}, client{};
  std::vector<wire::diagnose::finding> findings{};
  struct slow {
    both_views of{};
    divided_gap lay{};
    std::chrono::nanoseconds gap{};
  };
  std::vector<slow> slowest{};  ///< the longest gaps at the client first
};

/// Collects what an analysis is told, for laying it upon another.
std::vector<seen_exchange> collect_exchanges(const std::string& file, const analysis_settings& how);

/// Nothing when they have no exchange in common: they are no two sides of the same traffic.
std::optional<two_sided> lay_upon(std::vector<seen_exchange> first, std::vector<seen_exchange> second,
                                  const analysis_settings& how);

/// Their pairs, in the order of the client's view.
std::vector<both_views> pair_up(const std::vector<seen_exchange>& client,
                                const std::vector<seen_exchange>& server);

clock_relation relate_clocks(const std::vector<both_views>& pairs);
divided_gap divide(const both_views& of, const clock_relation& by);

/// What took the time of those that took long, as both sides prove it.
std::vector<wire::diagnose::finding> two_sided_findings(const std::vector<both_views>& pairs,
                                                        const clock_relation& by,
                                                        const wire::diagnose::limits& limits);

/// For a person; and the section `two_sided` of bench/harness/report.schema.json.
std::string two_sided_text(const two_sided& of, bool color);
nlohmann::ordered_json two_sided_section(const two_sided& of);

}  // namespace wiregap
