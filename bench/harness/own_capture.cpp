// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/own_capture.hpp>
#include <wire/capture/decoder.hpp>
#include <wire/capture/streams.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wiregap {

namespace {

using wire::diagnose::cause;
using wire::diagnose::confidence;
using wire::diagnose::finding;
using wire::exchange::layer;

/// So many exchanges of a connection are kept, four bytes and some each.
constexpr std::size_t most_exchanges = 4'000'000;

/// What the capture has of the exchanges of a finding.
struct tally {
  std::uint64_t seen{}, requests_without_push{}, answers_without_push{}, requests_again{}, answers_again{};
};

void add(finding& to, const char* key, std::uint64_t n, std::uint64_t of, const char* what) {
  to.evidence.push_back(
      {key, static_cast<double>(n), "count", fmt::format("{} of the {} captured: {}", n, of, what)});
}

void judge(finding& of, const tally& t) {
  add(of, "captured_requests_without_psh", t.requests_without_push, t.seen, "the request left without PSH");
  add(of, "captured_answers_without_psh", t.answers_without_push, t.seen, "the answer came without PSH");
  add(of, "captured_requests_sent_again", t.requests_again, t.seen,
      "this machine sent segments of the request again");
  add(of, "captured_answers_sent_again", t.answers_again, t.seen,
      "the server sent segments of the answer again");
  if (of.cause == cause::push_hold && of.layers == layer::client_receive &&
      t.answers_without_push == t.seen) {
    of.confidence = confidence::proved;
  }
  if (!is_loss(of.cause)) return;
  // What is seen twice was sent twice. When only the answer was, the request had come through.
  if (t.answers_again == t.seen && t.requests_again == 0) {
    of.confidence = confidence::proved;
    of.layers = layer::response_path;
  } else if (t.requests_again == t.seen && of.layers == layer::request_path) {
    of.confidence = confidence::proved;
  }
}

}  // namespace

/// Keeps what the capture says, on its thread.
class own_capture::keeper final : public tds::capture::audience {
 public:
  explicit keeper(own_capture& to) : to_(to) {}

  void exchanged(const tds::capture::captured_connection& on,
                 tds::capture::captured_exchange&& one) override {
    if (!to_.exchanges_.contains(on.id)) to_.opened_.push_back(on.id);
    auto& of = to_.exchanges_[on.id];
    if (tds::capture::is_connecting(one.kind) || of.size() >= most_exchanges) return;
    of.push_back({one.request.pushed.value_or(true), one.response.pushed.value_or(true),
                  one.request.sent_again, one.response.sent_again});
  }
  void closed(const tds::capture::captured_connection& on) override {
    to_.server_sent_again_ += on.from_server.retransmissions;
    to_.oversized_ += on.from_server.oversized;
  }

 private:
  own_capture& to_;
};

own_capture::own_capture(std::uint16_t port) : live_({"any", {port}}), thread_([this] { run(); }) {}

own_capture::~own_capture() {
  ending_ = true;
  if (thread_.joinable()) thread_.join();
}

void own_capture::run() {
  keeper kept{*this};
  tds::capture::analyzer look{kept, {.statement_bytes = 0}};
  wire::capture::stream_table streams{look};
  wire::capture::frame_decoder decoder;
  constexpr std::chrono::milliseconds patience{20};
  try {
    for (bool last = false; !last;) {
      // What came before the end is still there behind it.
      last = ending_;
      while (const auto* packet = live_.next(last ? std::chrono::milliseconds::zero() : patience)) {
        if (const auto* segment = decoder.decode(*packet)) streams.add(*segment, packet->when);
      }
    }
    dropped_ = live_.counts().dropped;
  } catch (const wire::capture::live_error&) {
    broken_ = std::current_exception();
  }
  streams.finish();
}

void own_capture::finish() {
  ending_ = true;
  if (thread_.joinable()) thread_.join();
  if (broken_) std::rethrow_exception(broken_);
}

const own_capture::exchange_facts* own_capture::find(const wire::diagnose::request_ref& one) const noexcept {
  if (one.connection_id == 0 || one.connection_id > opened_.size() || one.id == 0) return nullptr;
  const auto of = exchanges_.find(opened_[one.connection_id - 1]);
  return of == exchanges_.end() || one.id > of->second.size() ? nullptr : &of->second[one.id - 1];
}

void own_capture::add_evidence(std::vector<finding>& to, std::size_t connections) const {
  if (opened_.size() != connections || dropped_ != 0) return;
  for (auto& each : to) {
    tally t;
    for (const auto& one : each.requests) {
      const auto* facts = find(one);
      if (facts == nullptr) continue;
      ++t.seen;
      t.requests_without_push += facts->request_pushed ? 0U : 1U;
      t.answers_without_push += facts->answer_pushed ? 0U : 1U;
      t.requests_again += facts->request_sent_again != 0 ? 1U : 0U;
      t.answers_again += facts->answer_sent_again != 0 ? 1U : 0U;
    }
    if (t.seen != 0) judge(each, t);
  }
}

std::string own_capture::in_short(std::size_t connections) const {
  if (opened_.size() != connections) {
    return fmt::format("  the capture shows {} connections to that port where {} were ours: it is not used\n",
                       opened_.size(), connections);
  }
  if (dropped_ != 0) return fmt::format("  the capture lost {} packets: it is not used\n", dropped_);
  std::size_t seen = 0;
  for (const auto& [id, of] : exchanges_) seen += of.size();
  return fmt::format(
      "  captured: {} exchanges; the server sent {} segments again, {} came larger than the MSS\n", seen,
      server_sent_again_, oversized_);
}

}  // namespace wiregap
