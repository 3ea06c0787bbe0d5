// SPDX-License-Identifier: BSL-1.0
#include <tds/server/plan_cache.hpp>

#include <algorithm>
#include <utility>

namespace tds::serving {
namespace {

constexpr std::size_t largest_text = 64 * 1024;
constexpr std::size_t largest_answer = 64 * 1024;

}  // namespace

const plan_cache::entry* plan_cache::find(bytes::byte_span raw) const noexcept {
  for (const auto& slot : slots_) {
    if (slot.kept != nullptr && std::equal(raw.begin(), raw.end(), slot.raw.begin(), slot.raw.end())) {
      return slot.kept.get();
    }
  }
  return nullptr;
}

const plan_cache::entry* plan_cache::keep(bytes::byte_span raw, std::string_view sql, answer&& plan) {
  if (raw.size() > largest_text || plan.size() > largest_answer) return nullptr;
  auto& slot = slots_[next_];
  next_ = (next_ + 1) % capacity;
  slot.raw.assign(raw.begin(), raw.end());
  slot.kept = std::make_unique<entry>(entry{std::string{sql}, std::move(plan)});
  return slot.kept.get();
}

void plan_cache::clear() noexcept {
  for (auto& slot : slots_) slot.kept.reset();
}

}  // namespace tds::serving
