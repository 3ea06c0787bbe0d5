// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/feature_data.hpp>
#include <tds/protocol/feature_ext.hpp>

#include <algorithm>
#include <bitset>
#include <string>

namespace tds::protocol {

std::string_view name_of(feature_id id) noexcept {
  switch (id) {
    case feature_id::sessionrecovery:
      return "SESSIONRECOVERY";
    case feature_id::fedauth:
      return "FEDAUTH";
    case feature_id::columnencryption:
      return "COLUMNENCRYPTION";
    case feature_id::globaltransactions:
      return "GLOBALTRANSACTIONS";
    case feature_id::azuresqlsupport:
      return "AZURESQLSUPPORT";
    case feature_id::dataclassification:
      return "DATACLASSIFICATION";
    case feature_id::utf8_support:
      return "UTF8_SUPPORT";
    case feature_id::azuresqldnscaching:
      return "AZURESQLDNSCACHING";
    case feature_id::jsonsupport:
      return "JSONSUPPORT";
    case feature_id::vectorsupport:
      return "VECTORSUPPORT";
    case feature_id::enhancedroutingsupport:
      return "ENHANCEDROUTINGSUPPORT";
    case feature_id::useragent:
      return "USERAGENT";
    case feature_id::terminator:
      return "TERMINATOR";
  }
  return "unknown";
}

const feature* find_feature(const feature_list& features, feature_id id) noexcept {
  const auto found = std::ranges::find(features, id, &feature::id);
  return found != features.end() ? &*found : nullptr;
}

feature_list read_feature_ext(bytes::reader& in) {
  feature_list features;
  std::bitset<256> seen;
  while (in.ok()) {
    const std::size_t at = in.offset();
    const auto id = static_cast<feature_id>(in.u8("feature_id"));
    in.meaning([&] { return std::string{name_of(id)}; });
    if (!in.ok() || id == feature_id::terminator) break;
    if (seen.test(static_cast<std::uint8_t>(id))) in.fail_at(errc::bad_value, "feature_id", at);
    seen.set(static_cast<std::uint8_t>(id));
    const std::size_t size = in.u32("feature_data_len");
    auto* const notes = in.notes();
    if (notes != nullptr && in.ok() && size <= in.remaining()) {
      auto data = in;  // the same bytes once more, field by field
      auto part = data.sub(size, "feature_data");
      notes->open(part.offset(), std::string{name_of(id)});
      annotate_feature(part, id);
      notes->close();
    }
    in.annotate(nullptr);
    const auto data = in.bytes(size, "feature_data");
    in.annotate(notes);
    if (in.ok()) features.push_back({id, {data.begin(), data.end()}});
  }
  return features;
}

void write_feature_ext(bytes::writer& out, const feature_list& features) {
  for (const auto& each : features) {
    out.u8(static_cast<std::uint8_t>(each.id));
    out.u32(static_cast<std::uint32_t>(each.data.size()));
    out.bytes(each.data);
  }
  out.u8(static_cast<std::uint8_t>(feature_id::terminator));
}

void sort_features(feature_list& features) { std::ranges::stable_sort(features, {}, &feature::id); }

std::size_t size_of_feature_ext(const feature_list& features) noexcept {
  std::size_t size = 1;
  for (const auto& each : features) size += 1 + 4 + each.data.size();
  return size;
}

}  // namespace tds::protocol
