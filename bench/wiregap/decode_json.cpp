// SPDX-License-Identifier: BSL-1.0
#include "decode_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

namespace wiregap {

namespace {

using json = nlohmann::ordered_json;

std::string hex_digits(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const auto byte : bytes) {
    out.push_back(digits[byte >> 4]);
    out.push_back(digits[byte & 15]);
  }
  return out;
}

json field_as_json(const tds::bytes::annotation& field, std::size_t offset, std::span<const std::uint8_t> raw,
                   bool show_secrets) {
  json out{{"offset", offset}, {"size", field.size}, {"depth", field.depth}, {"field", field.field}};
  if (field.secret) out["secret"] = true;
  if (field.secret && !show_secrets) return out;
  if (!raw.empty()) out["bytes"] = hex_digits(raw);
  if (!field.value.empty()) out["value"] = field.value;
  if (!field.meaning.empty()) out["meaning"] = field.meaning;
  return out;
}

}  // namespace

std::string message_as_json(const tds::dissect::message& found, bool show_secrets) {
  json out{{"from", name_of(found.from)}, {"message", found.title}, {"size", found.payload.size()}};
  if (found.version) out["tds_version"] = name_of(*found.version);
  auto packets = json::array();
  for (const auto& packet : found.packets) {
    auto fields = json::array();
    const std::span<const std::uint8_t> raw{packet.raw_header};
    for (const auto& field : packet.header) {
      fields.push_back(
          field_as_json(field, field.offset, raw.subspan(field.offset - packet.offset, field.size), true));
    }
    packets.push_back(
        {{"offset", packet.offset}, {"payload_size", packet.payload_size}, {"header", std::move(fields)}});
  }
  out["packets"] = std::move(packets);
  auto fields = json::array();
  const std::span<const std::uint8_t> payload{found.payload};
  for (const auto& field : found.fields) {
    const auto left = payload.subspan(std::min(field.offset, payload.size()));
    fields.push_back(field_as_json(field, found.stream_offset(field.offset),
                                   left.first(std::min(left.size(), field.size)), show_secrets));
  }
  out["fields"] = std::move(fields);
  if (found.error) {
    const auto at = std::min(found.error->offset, found.payload.size());
    out["error"] = {{"code", name_of(found.error->code)},
                    {"field", found.error->field},
                    {"offset", found.stream_offset(at)},
                    {"context", found.error->context}};
  }
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace wiregap
