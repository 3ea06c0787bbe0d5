// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/capture/detail/conversation.hpp>
#include <tds/capture/detail/shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tds::capture::detail {

/// Separates the sessions of a connection under MARS: what each carries goes to a conversation of its own.
class smp_sessions {
 public:
  /// All must outlive it.
  smp_sessions(captured_connection& on, dialect& speaks, surroundings& with) noexcept
      : on_(on), speaks_(speaks), with_(with) {}

  void feed(dissect::sender from, piece next);
  void gap(dissect::sender from, std::uint64_t bytes, place at, bool cut);
  void finish(wire::clock::stamp last);

  template <class Visitor>
  void for_each_line(Visitor&& visit) {
    for (auto& each : sessions_) visit(each.talk->line());
  }

 private:
  struct session {
    std::uint16_t id{};
    std::unique_ptr<conversation> talk{};
    std::array<std::uint32_t, 2> window{};  // up to which number this end may get, as it said last
    std::array<bool, 2> at_limit{};         // this end has sent all that it may
    std::array<bool, 2> over{};
  };
  struct side {
    std::array<std::uint8_t, smp_header_size> header{};
    std::size_t fill = 0;
    std::uint32_t left = 0;
    std::uint16_t session{};
    bool lost = false;
  };

  side& at(dissect::sender from) noexcept { return sides_[static_cast<std::size_t>(from)]; }
  session& of(std::uint16_t id);
  std::size_t take(dissect::sender from, const piece& next);
  void take_header(dissect::sender from, const piece& in);
  void count_window(session& of, dissect::sender from, std::uint32_t number, std::uint32_t window, bool data);

  captured_connection& on_;
  dialect& speaks_;
  surroundings& with_;
  std::vector<session> sessions_{};
  std::array<side, 2> sides_{};
};

}  // namespace tds::capture::detail
