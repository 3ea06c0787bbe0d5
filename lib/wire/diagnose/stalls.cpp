// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/stalls.hpp>
#include <wire/diagnose/usual_times.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace wire::diagnose {
namespace {

using exchange::entry;
using exchange::layer;
using exchange::layer_set;
using std::chrono::milliseconds;

/// Excess below this is noise, and no timer above is that short.
constexpr nanoseconds least_excess = milliseconds{15};

constexpr layer_set outbound{layer::request_path, layer::server_receive};
constexpr layer_set inbound{layer::response_path, layer::client_receive};

bool share_a_layer(layer_set a, layer_set b) noexcept {
  return std::ranges::any_of(exchange::layers, [&](layer l) { return a.has(l) && b.has(l); });
}

/// Which entry lost most, and what was lost in it and those that share a layer with it.
void place(stall& s, const usual_times& usual, nanoseconds over) {
  const auto entries = s.request->ledger.entries();
  const entry* worst = nullptr;
  nanoseconds most{};
  std::vector<nanoseconds> excess;
  for (const auto& e : entries) {
    excess.push_back(e.length - usual.healthy_length(s.size_class, e.layers));
    if (worst == nullptr || excess.back() > most) {
      worst = &e;
      most = excess.back();
    }
  }
  if (worst == nullptr) {
    s.layers = layer_set::all();
    s.excess = over;
    return;
  }
  s.layers = worst->layers;
  // Where the server's clock is that uncertain, the neighbours may have had it.
  if (const auto error = worst->error; error != nanoseconds::zero() && most < 3 * error) {
    for (const auto& e : entries) {
      if (e.error != nanoseconds::zero()) s.layers = s.layers.with(e.layers);
    }
  }
  nanoseconds sum{};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (share_a_layer(entries[i].layers, s.layers)) sum += std::max(excess[i], nanoseconds::zero());
  }
  s.excess = std::min(sum, over);
}

/// What slow start adds on a path: a message of more than the initial window (10 segments, RFC 6928) takes
/// further round trips until the window, which doubles with each, holds the rest.
nanoseconds further_round_trips(const sample& request, const size_class& of) {
  if (!request.tcp || !request.tcp->least_rtt) return nanoseconds::zero();
  const auto rounds = [](std::uint64_t segments) { return std::bit_width(segments / 10); };
  return nanoseconds{*request.tcp->least_rtt} * (rounds(of.request_segments) + rounds(of.response_segments));
}

/// Slow as requests of its size always are, and no slower beyond the others than the path makes it.
bool is_distance(const stall& s, const population& of) {
  return s.habitual && s.excess <= further_round_trips(*s.request, of.classes()[s.size_class]);
}

stall measure(const slow_request& slow, const usual_times& usual) {
  const auto& request = slow.request;
  stall s;
  s.size_class = slow.size_class;
  s.round_trip = request.round_trip;
  s.when = request.when;
  s.request = &request;
  place(s, usual, request.round_trip - usual.healthy_round_trip(slow.size_class));
  s.where = part_of(s.layers);
  const auto own = usual.round_trip(slow.size_class);
  s.habitual = usual.is_slow(slow.size_class) && request.round_trip - own < std::max(least_excess, own / 4);
  return s;
}

}  // namespace

part part_of(layer_set layers) noexcept {
  const bool out = share_a_layer(layers, outbound), in = share_a_layer(layers, inbound);
  if (out && (in || layers.has(layer::server))) return part::wide;
  if (out) return part::before;
  if (layers == layer_set{layer::client_send}) return part::send;
  if (layers == layer_set{layer::client_receive}) return part::receive;
  if (layers == layer_set{layer::server}) return part::server;
  return in ? part::after : part::wide;
}

slow_stalls find_stalls(const population& of) {
  slow_stalls result;
  const usual_times usual{of};
  for (const auto& slow : of.slow()) {
    const auto s = measure(slow, usual);
    if (!slow.request.answered) {
      result.unanswered.push_back(s);
    } else if (is_distance(s, of)) {
      result.steady.push_back(s);
    } else if (s.excess < std::max(least_excess, (s.round_trip - s.excess) / 4)) {
      (usual.is_slow(slow.size_class) ? result.steady : result.slight).push_back(s);
    } else {
      result.stalled.push_back(s);
    }
  }
  return result;
}

}  // namespace wire::diagnose
