// SPDX-License-Identifier: BSL-1.0
#include <tds/dissect/coverage.hpp>
#include <tds/protocol/tokens/tokens.hpp>

#include <algorithm>
#include <utility>

namespace tds::dissect {
namespace {

using bytes::annotation;
using protocol::token_type;

class gap_filler {
 public:
  gap_filler(message& found, secret_policy secrets)
      : found_(found), secrets_(secrets), covered_(found.payload.size(), false) {
    for (const annotation& field : found.fields) mark(field.offset, field.size);
  }

  void run() {
    std::vector<annotation> out;
    out.reserve(found_.fields.size() + 8);
    for (annotation& field : found_.fields) {
      const bool heading = field.size == 0 && field.value.empty();
      // A gap in front of the next heading still belongs to what came before it.
      fill(out, field.offset, heading ? depth_ : field.depth);
      if (field.size == 0 && field.depth == 0 && field.offset < found_.payload.size()) {
        token_ = static_cast<token_type>(found_.payload[field.offset]);
      }
      if (!heading) depth_ = field.depth;
      cursor_ = std::max(cursor_, field.offset + field.size);
      out.push_back(std::move(field));
    }
    at_end_ = true;
    cursor_ = 0;
    if (found_.error) depth_ = 0;
    fill(out, found_.payload.size(), depth_);
    found_.fields = std::move(out);
  }

 private:
  void mark(std::size_t offset, std::size_t size) {
    const std::size_t from = std::min(offset, covered_.size());
    const std::size_t to = from + std::min(size, covered_.size() - from);
    for (std::size_t i = from; i < to; ++i) covered_[i] = true;
  }

  // Notes every stretch of [cursor_, end) that nothing covers.
  void fill(std::vector<annotation>& out, std::size_t end, std::uint32_t depth) {
    end = std::min(end, covered_.size());
    for (std::size_t i = cursor_; i < end; ++i) {
      if (covered_[i]) continue;
      const std::size_t start = i;
      while (i < end && !covered_[i]) covered_[i++] = true;
      out.push_back(gap(start, i - start, depth));
    }
  }

  annotation gap(std::size_t offset, std::size_t size, std::uint32_t depth) const {
    annotation item;
    item.offset = offset;
    item.size = size;
    item.depth = depth;
    item.value = bytes::hex(bytes::byte_span{found_.payload}.subspan(offset, size));
    item.secret = secrets_ == secret_policy::unclaimed;
    if (found_.error && offset + size == found_.payload.size() && at_end_) {
      item.field = "not_decoded";
      item.secret = item.secret || found_.payload[offset] == static_cast<std::uint8_t>(token_type::sspi);
    } else if (is_row()) {
      item.field = "framing";
      item.meaning = "length of the value";
    } else {
      item.field = "unclaimed";
      item.meaning = "no field lies here";
    }
    return item;
  }

  bool is_row() const noexcept {
    return found_.type == protocol::packet_type::tabular_result &&
           (token_ == token_type::row || token_ == token_type::nbcrow || token_ == token_type::altrow);
  }

  message& found_;
  secret_policy secrets_;
  std::vector<bool> covered_;
  std::size_t cursor_ = 0;
  std::uint32_t depth_ = 0;
  token_type token_{};
  bool at_end_ = false;
};

void spread_secrets(std::vector<annotation>& fields) {
  std::vector<std::pair<std::size_t, std::size_t>> secret;
  for (const annotation& field : fields) {
    if (field.secret && field.size != 0) secret.emplace_back(field.offset, field.offset + field.size);
  }
  std::ranges::sort(secret);
  std::vector<std::pair<std::size_t, std::size_t>> apart;
  for (const auto& range : secret) {
    if (!apart.empty() && range.first <= apart.back().second) {
      apart.back().second = std::max(apart.back().second, range.second);
    } else {
      apart.push_back(range);
    }
  }
  for (annotation& field : fields) {
    if (field.size == 0) continue;
    const auto behind =
        std::ranges::upper_bound(apart, field.offset, {}, &std::pair<std::size_t, std::size_t>::second);
    field.secret |= behind != apart.end() && behind->first < field.offset + field.size;
  }
}

}  // namespace

void cover_gaps(message& found, secret_policy secrets) {
  gap_filler{found, secrets}.run();
  spread_secrets(found.fields);
}

}  // namespace tds::dissect
