// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/detail/conversation.hpp>
#include <tds/capture/detail/recognizer.hpp>
#include <tds/capture/detail/smp.hpp>
#include <wire/capture/connection.hpp>

#include <array>
#include <memory>

namespace tds::capture::detail {

/// What the analyzer keeps of a connection: whether it is TDS, which end is the client, its conversation.
class session final : public wire::capture::connection_state {
 public:
  using way = wire::capture::way;

  session(const wire::capture::connection& on, surroundings& with);

  /// Looks at data of a connection that is not known to be TDS yet.
  verdict judge(const wire::capture::connection& on, way from, const piece& next);
  verdict judged() const noexcept { return who_.judged(); }

  dissect::sender sender_of(way from) const noexcept { return who_.sender_of(from); }
  way client() const noexcept { return who_.client(); }
  /// What comes of a connection that is TDS.
  void feed(way from, const piece& next);
  void gap(way from, std::uint64_t bytes, place at, bool cut);
  void sent_again(way from, std::uint64_t begin, std::uint64_t end, wire::clock::stamp when);
  void acknowledged(way of, std::uint64_t offset, wire::clock::stamp when, bool bare);
  void zero_window(way from);
  void finish(wire::clock::stamp last);
  bool is_no_tds() const noexcept { return talk_.is_no_tds(); }
  captured_connection& facts() noexcept { return facts_; }

  /// Takes over what TCP tells of the connection.
  void refresh(const wire::capture::connection& on);

  std::uint64_t exchanges = 0;

 private:
  recognizer who_{};
  void count_delayed(way of, std::uint64_t offset, wire::clock::stamp when);

  captured_connection facts_{};
  std::array<place, 2> last_data_{};  // by way: the end of what came last
  dialect speaks_{};
  surroundings& with_;
  conversation talk_;
  std::unique_ptr<smp_sessions> sessions_{};  // under MARS, behind the login
};

}  // namespace tds::capture::detail
