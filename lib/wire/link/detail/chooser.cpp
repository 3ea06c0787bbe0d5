// SPDX-License-Identifier: BSL-1.0
#include <wire/link/detail/chooser.hpp>
#include <wire/link/detail/draw.hpp>

namespace wire::link::detail {

bool chooser::looked_at(const facts& about) const noexcept {
  switch (when_.of) {
    case subject::data:
      if (about.payload == 0) return false;
      break;
    case subject::syn:
      if (!about.has(tcp_flag::syn)) return false;
      break;
    case subject::any:
      break;
  }
  if (about.seen_before && !when_.retransmissions) return false;
  if (when_.tail && !about.has(tcp_flag::psh)) return false;
  return about.ip_size > when_.larger_than;
}

// `ordinal` is what probability draws by: all segments of a message share its fate.
bool chooser::due(const facts& about, std::uint64_t& ordinal) noexcept {
  if (when_.count == counting::messages) {
    if (about.message <= base_) return false;
    // A retransmission belongs to the message, but which of its segments it repeats is not known.
    if (when_.segment != 0 && !when_.tail && about.nth != when_.segment) return false;
    ordinal = about.message - base_;
  } else {
    ordinal = ++seen_;
  }
  return ordinal > when_.skip && (ordinal - when_.skip) % when_.every == 0;
}

bool chooser::chooses(const facts& about) noexcept {
  std::uint64_t ordinal = 0;
  if (!looked_at(about) || !due(about, ordinal) || chosen_ == when_.limit) return false;
  if (when_.probability < 1 && drawn(seed_, ordinal) >= when_.probability) return false;
  ++chosen_;
  return true;
}

}  // namespace wire::link::detail
