// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/detail/conversation.hpp>
#include <tds/capture/detail/recognizer.hpp>
#include <wire/capture/connection.hpp>

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
  conversation& talk() noexcept { return talk_; }
  captured_connection& facts() noexcept { return facts_; }

  /// Takes over what TCP tells of the connection.
  void refresh(const wire::capture::connection& on);

  std::uint64_t exchanges = 0;

 private:
  recognizer who_{};
  captured_connection facts_{};
  dialect speaks_{};
  conversation talk_;
};

}  // namespace tds::capture::detail
