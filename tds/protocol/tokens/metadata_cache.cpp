// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/metadata_cache.hpp>

#include <cstring>
#include <utility>

namespace tds::protocol {

metadata_cache::hit metadata_cache::find(bytes::byte_span body) const noexcept {
  for (const entry& known : entries_) {
    if (known.metadata == nullptr || known.body.size() > body.size()) continue;
    if (std::memcmp(known.body.data(), body.data(), known.body.size()) == 0) {
      return {known.metadata, known.body.size()};
    }
  }
  return {};
}

void metadata_cache::keep(bytes::byte_span body, metadata_ptr metadata) {
  if (body.size() > longest) return;
  entry& place = entries_[next_];
  place.body.assign(body.begin(), body.end());
  place.metadata = std::move(metadata);
  next_ = (next_ + 1) % places;
}

void metadata_cache::clear() noexcept {
  for (entry& known : entries_) known.metadata.reset();
  next_ = 0;
}

}  // namespace tds::protocol
