// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/captured_connection.hpp>
#include <tds/capture/captured_exchange.hpp>
#include <tds/capture/detail/answer_reader.hpp>
#include <tds/capture/detail/recognizer.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace tds::capture::detail {

/// The requests of one session in the order in which they were sent, and their answers laid to them.
///
/// An exchange is kept until the next request begins: what is sent again of its answer is still laid to it.
class exchange_line {
 public:
  using stamp = wire::clock::stamp;
  using sink = std::function<void(captured_exchange&&)>;

  void begin_request(request_kind kind, place at);
  /// Request bytes [at.offset, at.offset + bytes).
  void add_request(std::uint64_t bytes, place at);
  void end_request(std::optional<bool> pushed);
  /// The first byte of an answer; it is that of the oldest request without one.
  void begin_answer(place at);
  void add_answer(std::uint64_t bytes, place at);
  void end_answer(std::optional<bool> pushed, const answer_facts& said);
  /// Where the answer that comes ends will not be seen: it is over when the next request begins.
  void answer_is_open_ended();
  void take_back();  ///< the client sent an Attention

  /// Whether bytes of a direction are those of an exchange here.
  bool owns(bool request, std::uint64_t from, std::uint64_t to) const noexcept;
  void sent_again(bool request, std::uint64_t from, std::uint64_t to, stamp when);
  void acknowledged_request(std::uint64_t up_to, stamp when);
  /// An end has no room any more. `server`: the server.
  void zero_window(bool server);
  /// Bytes of either direction are not in the file.
  void lack(bool request);

  /// Ends what is complete, with all that were sent before it.
  void retire(const sink& out);
  /// Ends all; `last` is the last packet of the connection.
  void finish(stamp last, const sink& out);

  /// The request that is being sent, or was sent last; nothing when it has been answered whole.
  captured_exchange* newest() noexcept;
  /// The oldest exchange whose answer is not over.
  captured_exchange* answering() noexcept;
  bool answer_has_begun() const noexcept;
  std::uint64_t answers_alone() const noexcept { return answers_alone_; }

 private:
  struct kept {
    captured_exchange of{};
    std::uint64_t request_from{}, request_to{}, answer_from{}, answer_to{};
    bool request_over = false, answer_over = false, open_ended = false;
  };
  kept* oldest_open() noexcept;
  void give_up_all_but_the_last() noexcept;
  static bool overlaps(const kept& each, bool request, std::uint64_t from, std::uint64_t to) noexcept;
  kept* owner(bool request, std::uint64_t from, std::uint64_t to) noexcept;

  std::vector<kept> kept_;
  stamp last_answer_{};
  std::uint64_t request_end_ = 0, answer_end_ = 0;  // behind all that came
  std::uint64_t answers_alone_ = 0;
  bool alone_ = false;              // the answer that comes has no request here
  bool attention_is_owed_ = false;  // the server will acknowledge it in a message of its own
};

}  // namespace tds::capture::detail
