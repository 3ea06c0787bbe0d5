// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/two_sided.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace wiregap {

namespace {

using std::chrono::nanoseconds;
using wire::clock::between;

class collector final : public tds::capture::audience {
 public:
  explicit collector(const analysis_settings& how) : how_(how) {}

  void exchanged(const tds::capture::captured_connection& on,
                 tds::capture::captured_exchange&& one) override {
    if (!one.answered || !tds::capture::gap(one)) return;
    const auto& t = one.timing;
    found.push_back({on.client,
                     on.server,
                     one.request.next_seq,
                     one.response.next_seq,
                     {t.connection_id, t.id},
                     one.kind,
                     shown_statement(one, how_, 70),
                     t.write_start,
                     t.write_done,
                     t.response_first_byte,
                     t.response_last_byte,
                     one.think,
                     one.request,
                     one.response});
  }
  void closed(const tds::capture::captured_connection&) override {}

  std::vector<seen_exchange> found{};

 private:
  const analysis_settings& how_;
};

using pair_key = std::tuple<wire::capture::end_point, wire::capture::end_point, std::uint32_t, std::uint32_t>;

pair_key key_of(const seen_exchange& one) {
  return {one.client, one.server, one.request_seq, one.response_seq};
}

nanoseconds gap_of(const seen_exchange& one) { return *between(one.sent, one.answered); }

/// Of TCP's acknowledgements alone it cannot be told which side is nearer to the client: there the same
/// exchange takes longer.
bool is_reversed(const std::vector<both_views>& pairs) {
  std::int64_t sum = 0;
  for (const auto& one : pairs) sum += gap_of(one.at_client) > gap_of(one.at_server) ? 1 : -1;
  return sum < 0;
}

path_account account_of(const std::vector<both_views>& pairs) {
  path_account out;
  for (const auto& [c, s] : pairs) {
    if (c.request.pushed == true && s.request.pushed == false) ++out.requests_lost_push;
    if (s.response.pushed == true && c.response.pushed == false) ++out.responses_lost_push;
    if (s.request.segments < c.request.segments) ++out.requests_merged;
    if (s.request.segments > c.request.segments) ++out.requests_split;
    if (c.response.segments < s.response.segments) ++out.responses_merged;
    if (c.response.segments > s.response.segments) ++out.responses_split;
    if (c.request.sent_again > s.request.sent_again) {
      out.request_segments_lost += c.request.sent_again - s.request.sent_again;
    }
    if (s.response.sent_again > c.response.sent_again) {
      out.response_segments_lost += s.response.sent_again - c.response.sent_again;
    }
  }
  return out;
}

void keep_slowest(two_sided& to, const std::vector<both_views>& pairs, std::size_t most) {
  std::vector<const both_views*> order;
  order.reserve(pairs.size());
  for (const auto& one : pairs) order.push_back(&one);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::ranges::partial_sort(order, end, [](const both_views* a, const both_views* b) {
    return gap_of(a->at_client) > gap_of(b->at_client);
  });
  for (auto at = order.begin(); at != end; ++at) {
    to.slowest.push_back({**at, divide(**at, to.clocks), gap_of((*at)->at_client)});
  }
}

}  // namespace

std::vector<seen_exchange> collect_exchanges(const std::string& file, const analysis_settings& how) {
  collector into{how};
  (void)read_captures({file}, how, into);
  return std::move(into.found);
}

std::vector<both_views> pair_up(const std::vector<seen_exchange>& client,
                                const std::vector<seen_exchange>& server) {
  std::multimap<pair_key, const seen_exchange*> waiting;
  for (const auto& one : server) waiting.emplace(key_of(one), &one);
  std::vector<both_views> out;
  for (const auto& one : client) {
    const auto found = waiting.find(key_of(one));
    if (found == waiting.end()) continue;
    out.push_back({one, *found->second});
    waiting.erase(found);
  }
  return out;
}

std::optional<two_sided> lay_upon(std::vector<seen_exchange> first, std::vector<seen_exchange> second,
                                  const analysis_settings& how) {
  auto pairs = pair_up(first, second);
  if (pairs.empty()) return std::nullopt;
  two_sided out;
  out.swapped = is_reversed(pairs);
  out.only_at_client = (out.swapped ? second : first).size() - pairs.size();
  out.only_at_server = (out.swapped ? first : second).size() - pairs.size();
  if (out.swapped) {
    for (auto& one : pairs) std::swap(one.at_client, one.at_server);
  }
  out.clocks = relate_clocks(pairs);
  out.path = account_of(pairs);
  for (const auto& one : pairs) {
    const auto lay = divide(one, out.clocks);
    out.request_path.record(lay.request_path);
    out.server.record(lay.server);
    out.response_path.record(lay.response_path);
    if (one.at_client.think && *one.at_client.think >= nanoseconds::zero())
      out.client.record(*one.at_client.think);
  }
  keep_slowest(out, pairs, how.slowest);
  out.findings = two_sided_findings(pairs, out.clocks, how.diagnosis.limits);
  return out;
}

}  // namespace wiregap
