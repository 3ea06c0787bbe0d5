// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/timers.hpp>
#include <wire/diagnose/witness.hpp>

#include <algorithm>

namespace wire::diagnose {
namespace {

using exchange::layer;
using exchange::layer_set;

/// Answers of up to this fit into send buffers whole: their server is never held up by the way back.
constexpr std::uint64_t fits_into_buffers = 64U * 1024;

bool any(std::optional<std::uint32_t> count) noexcept { return count.value_or(0) != 0; }

/// Most of the stall: the rest is what the timers and the load add.
bool is_most(nanoseconds part, const stall& of) noexcept { return part * 10 >= of.excess * 6; }

/// The two ends on this machine among the layers of the stall; its receiving end when it is neither.
layer_set this_machine(layer_set of) noexcept {
  if (of.has(layer::client_send) && !of.has(layer::client_receive)) return layer::client_send;
  return layer::client_receive;
}

/// How long this machine kept its programs from running; the two may be the same time seen twice.
nanoseconds held(const sample& r) noexcept {
  return std::max(r.machine_held.value_or(nanoseconds{}), r.thread_held.value_or(nanoseconds{}));
}

std::optional<testimony> this_machine_held(const stall& s) {
  if (held(*s.request) == nanoseconds::zero() || !is_most(held(*s.request), s)) return std::nullopt;
  return testimony{cause::client_scheduling, this_machine(s.layers), confidence::proved};
}

/// The answer was on this machine and the program had it not.
std::optional<testimony> not_read(const stall& s) {
  if (s.layers != layer_set{layer::client_receive}) return std::nullopt;
  const auto& r = *s.request;
  const bool could_run = r.machine_held && held(r) * 5 < s.excess;
  return testimony{cause::late_read, layer::client_receive,
                   could_run ? confidence::proved : confidence::likely};
}

std::optional<testimony> peer_did_not_read(const stall& s) {
  const auto& tcp = s.request->tcp;
  if (!tcp) return std::nullopt;
  const bool limited = tcp->receive_window_limited && is_most(*tcp->receive_window_limited, s);
  if (!limited && tcp->window_probes == 0) return std::nullopt;
  return testimony{cause::zero_window, layer::server_receive, confidence::proved};
}

/// By what TCP sent the request again.
cause repaired_by(const sample& r, nanoseconds excess) noexcept {
  const bool timer = r.tcp->timeouts ? *r.tcp->timeouts != 0 : excess >= least_retransmission_timeout;
  if (timer) return cause::retransmission_timeout;
  // A probe sends the last segment; acknowledgements of later ones ask for one in the middle.
  return r.answered_after_resend ? cause::tail_loss_probe : cause::fast_retransmit;
}

/// The answer came sooner after the repeated request than any answer to it could.
bool too_soon_for_an_answer(const sample& r) noexcept {
  return r.answered_after_resend && r.tcp->least_rtt &&
         *r.answered_after_resend * 10 < nanoseconds{*r.tcp->least_rtt} * 9;
}

/// This machine sent the request again. It was lost, or its acknowledgement was, on the answer that carried
/// it.
std::optional<testimony> sent_again(const stall& s, const population& run) {
  const auto& r = *s.request;
  const auto by = repaired_by(r, s.excess);
  if (by == cause::retransmission_timeout && r.tcp->send_mss < run.largest_send_mss()) {
    return testimony{cause::path_mtu, layer::request_path, confidence::likely};
  }
  const bool arrived = sent_again_for_nothing(r);
  const bool acknowledged_late = r.acknowledged && is_most(*r.acknowledged, s);
  if (s.where == part::before || s.where == part::send || acknowledged_late) {
    // It had arrived, and late: the path held it up, and no timer cost the time.
    if (arrived) return std::nullopt;
    return testimony{by, layer::request_path, confidence::proved};
  }
  // What the other end needs to send again is its own timer or probe: ours says nothing of which.
  const auto theirs = s.excess >= least_retransmission_timeout ? cause::retransmission_timeout : by;
  if (s.where == part::after) return testimony{theirs, layer::response_path, confidence::likely};
  if (s.where != part::wide) return std::nullopt;
  if (arrived || too_soon_for_an_answer(r)) {
    return testimony{theirs, layer::response_path, confidence::possible};
  }
  if (r.tcp->duplicates) return testimony{by, layer::request_path, confidence::likely};
  return testimony{by, {layer::request_path, layer::response_path}, confidence::possible};
}

/// Segments of the answer came before one that was missing.
testimony answer_had_a_hole(const stall& s) {
  const auto by =
      s.excess >= least_retransmission_timeout ? cause::retransmission_timeout : cause::fast_retransmit;
  return {by, layer::response_path, confidence::likely};
}

std::optional<testimony> loss(const stall& s, const population& run) {
  const auto& tcp = s.request->tcp;
  if (!tcp) return std::nullopt;
  if (tcp->retransmits != 0) return sent_again(s, run);
  if (any(tcp->out_of_order) && (s.where == part::after || s.where == part::wide)) {
    return answer_had_a_hole(s);
  }
  return std::nullopt;
}

std::optional<testimony> at_the_server(const stall& s) {
  const auto& r = *s.request;
  const bool alone = r.response_bytes <= fits_into_buffers && (!r.tcp || no_loss_seen(r));
  return testimony{cause::server_work, layer::server, alone ? confidence::proved : confidence::likely};
}

}  // namespace

bool no_loss_seen(const sample& of) noexcept {
  return of.tcp && of.tcp->retransmits == 0 && !any(of.tcp->duplicates) && !any(of.tcp->out_of_order);
}

bool sent_again_for_nothing(const sample& of) noexcept { return of.tcp && any(of.tcp->duplicates); }

std::optional<testimony> witness(const stall& of, const population& run) {
  if (auto held = this_machine_held(of)) return held;
  if (auto late = not_read(of)) return late;
  if (of.where == part::server) return at_the_server(of);
  if (of.together) return testimony{cause::host_wide_stall, of.layers, confidence::likely};
  if (auto window = peer_did_not_read(of)) return window;
  return loss(of, run);
}

}  // namespace wire::diagnose
