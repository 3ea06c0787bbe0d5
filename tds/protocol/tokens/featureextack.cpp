// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/feature_ext.hpp>
#include <tds/protocol/tokens/loginack.hpp>

#include <algorithm>
#include <string>

namespace tds::protocol {
namespace {

constexpr auto terminator = static_cast<std::uint8_t>(feature_id::terminator);
constexpr std::size_t most_features = 255;  // one for each id but the terminator

}  // namespace

std::optional<bytes::byte_span> featureextack::find(std::uint8_t id) const noexcept {
  const auto found = std::ranges::find(features, id, &feature_ack::id);
  return found != features.end() ? std::optional{found->data} : std::nullopt;
}

featureextack read_featureextack(bytes::reader& in) {
  featureextack token;
  while (in.ok()) {
    const std::uint8_t id = in.u8("feature_id");
    in.meaning([id] { return std::string{name_of(static_cast<feature_id>(id))}; });
    if (!in.ok() || id == terminator) break;
    if (token.features.size() == most_features) in.fail(errc::limit_exceeded, "feature_id");
    const std::uint32_t size = in.u32("feature_ack_data_len");
    const bytes::byte_span data = in.bytes(size, "feature_ack_data");
    if (in.ok()) token.features.push_back({id, data});
  }
  return token;
}

bool write_featureextack(bytes::writer& out, const featureextack& token) {
  bool fits = true;
  out.u8(static_cast<std::uint8_t>(token_type::featureextack));
  for (const feature_ack& feature : token.features) {
    fits = fits && feature.id != terminator;
    out.u8(feature.id);
    fits = out.l_varbyte(feature.data) && fits;
  }
  out.u8(terminator);
  return fits;
}

}  // namespace tds::protocol
