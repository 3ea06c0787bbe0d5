// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/detail/fragments.hpp>

#include <algorithm>

namespace wire::capture::detail {

bool fragment_table::is_whole(const partial& of) const {
  if (of.size == 0) return false;
  auto pieces = of.there;
  std::ranges::sort(pieces);
  std::size_t reached = 0;
  for (const auto& [from, to] : pieces) {
    if (from > reached) return false;
    reached = std::max(reached, to);
  }
  return reached == of.size;
}

octets fragment_table::add(const fragment_key& key, std::size_t offset, bool more, octets piece) {
  constexpr std::size_t largest = 65'535;
  auto found = std::ranges::find(partials_, key, &partial::key);
  if (found == partials_.end()) {
    if (partials_.size() == most_at_once) {
      partials_.pop_front();
      ++lost_;
    }
    found = partials_.insert(partials_.end(), partial{key, {}, {}, 0});
  }
  const std::size_t end = offset + piece.size();
  const bool fits = end <= largest && !piece.empty() && found->there.size() < most_pieces &&
                    (found->size == 0 || (end <= found->size && (more || end == found->size)));
  if (!fits) {
    partials_.erase(found);
    ++lost_;
    return {};
  }
  if (found->bytes.size() < end) found->bytes.resize(end);
  std::ranges::copy(piece, found->bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  found->there.emplace_back(offset, end);
  if (!more) found->size = end;
  if (!is_whole(*found)) return {};
  done_ = std::move(found->bytes);
  done_.resize(found->size);
  partials_.erase(found);
  return done_;
}

}  // namespace wire::capture::detail
