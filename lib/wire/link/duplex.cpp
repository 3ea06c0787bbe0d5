// SPDX-License-Identifier: BSL-1.0
#include <wire/link/detail/coalescer.hpp>
#include <wire/link/detail/flow_table.hpp>
#include <wire/link/detail/line.hpp>
#include <wire/link/detail/push_holder.hpp>
#include <wire/link/duplex.hpp>

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace wire::link {
namespace {

constexpr std::array ways{direction::to_server, direction::to_client};

}  // namespace

struct duplex::state {
  struct one_way {
    one_way(direction way, ledger& book) : line{way, book}, coalescer{way, book}, holder{way, book} {}

    detail::line line;
    detail::coalescer coalescer;
    detail::push_holder holder;
  };

  state(outlet& to, ledger& book)
      : out{to}, lanes{one_way{direction::to_server, book}, one_way{direction::to_client, book}} {}

  one_way& lane(direction way) noexcept { return lanes[index_of(way)]; }

  void deliver(direction way, const std::vector<detail::parcel>& packets, clock::stamp at) {
    for (const auto& packet : packets) out.deliver(receiver_of(way), packet.bytes, at);
  }

  // A packet enters the path. `own`: its sender's TCP made it, not the hold in that one's place.
  void submit(direction way, octets bytes, bool own, clock::stamp now) {
    const auto seg = read_segment(bytes);
    const auto about = flows.observe(way, bytes, seg);
    for (const auto gone : flows.prune()) {
      for (auto& each : lanes) each.holder.forget(gone);
    }
    if (seg && own) lane(opposite(way)).holder.amend(about.flow, *seg, bytes);
    out.seen(sender_of(way), true, bytes, now);
    lane(way).line.offer({std::move(bytes), about}, now);
  }

  // Packets reach the receiver's adapter, merged where they are.
  void arrive(direction way, std::vector<detail::parcel> units, clock::stamp at) {
    for (auto& unit : units) {
      out.seen(receiver_of(way), false, unit.bytes, at);
      std::vector<detail::parcel> released;
      std::vector<octets> replies;
      lane(way).holder.offer(std::move(unit), at, released, replies);
      deliver(way, released, at);
      for (auto& reply : replies) submit(opposite(way), std::move(reply), false, at);
    }
  }

  // The first thing to be done: whose it is, which of its three stages (0 to 2), and when.
  struct next {
    clock::stamp at;
    direction way{};
    int stage{};
  };
  next first() const noexcept {
    next found;
    const auto consider = [&found](clock::stamp at, direction way, int stage) {
      if (at.known() && (!found.at.known() || at < found.at)) found = {at, way, stage};
    };
    for (const auto way : ways) {
      const auto& each = lanes[index_of(way)];
      consider(each.line.next_due(), way, 0);
      consider(each.coalescer.next_due(), way, 1);
      consider(each.holder.next_due(), way, 2);
    }
    return found;
  }

  void step(const next& what) {
    auto& mine = lane(what.way);
    std::vector<detail::parcel> packets;
    switch (what.stage) {
      case 0:
        mine.coalescer.offer(mine.line.take(), what.at, packets);
        arrive(what.way, std::move(packets), what.at);
        break;
      case 1:
        mine.coalescer.run(what.at, packets);
        arrive(what.way, std::move(packets), what.at);
        break;
      default:
        mine.holder.run(what.at, packets);
        deliver(what.way, packets, what.at);
        break;
    }
  }

  outlet& out;
  detail::flow_table flows;
  std::array<one_way, 2> lanes;
};

duplex::duplex(const impairment& to_server, const impairment& to_client, outlet& out, ledger& book,
               clock::stamp now)
    : state_{std::make_unique<state>(out, book)} {
  set(direction::to_server, to_server, now);
  set(direction::to_client, to_client, now);
}

duplex::~duplex() = default;

void duplex::set(direction way, const impairment& wanted, clock::stamp now) {
  if (const auto problem = problem_of(wanted); !problem.empty()) throw std::invalid_argument{problem};
  auto& mine = state_->lane(way);
  std::vector<detail::parcel> packets;
  mine.coalescer.flush(now, packets);
  state_->arrive(way, std::move(packets), now);
  if (!wanted.hold) {
    std::vector<detail::parcel> released;
    mine.holder.release_all(now, released);
    state_->deliver(way, released, now);
  }
  const auto messages = state_->flows.messages(way);
  mine.line.set(wanted, messages, now);
  mine.coalescer.set(wanted.merge, wanted.seed, messages);
  mine.holder.set(wanted.hold);
}

void duplex::pause(nanoseconds length, clock::stamp now) {
  for (auto& each : state_->lanes) each.line.hold_up(length, now);
}

void duplex::offer(side from, octets packet, clock::stamp now) {
  state_->submit(leaving(from), std::move(packet), true, now);
}

clock::stamp duplex::next_due() const noexcept { return state_->first().at; }

void duplex::run(clock::stamp now) {
  for (auto what = state_->first(); what.at.known() && what.at <= now; what = state_->first()) {
    state_->step(what);
  }
}

}  // namespace wire::link
