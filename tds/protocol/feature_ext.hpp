// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/bytes/writer.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tds::protocol {

/// FeatureId (MS-TDS 2.2.6.4, FeatureExt), also of FEATUREEXTACK.
enum class feature_id : std::uint8_t {
  sessionrecovery = 0x01,
  fedauth = 0x02,
  columnencryption = 0x04,
  globaltransactions = 0x05,
  azuresqlsupport = 0x08,
  dataclassification = 0x09,
  utf8_support = 0x0A,
  azuresqldnscaching = 0x0B,
  jsonsupport = 0x0D,
  vectorsupport = 0x0E,
  enhancedroutingsupport = 0x0F,
  useragent = 0x10,  ///< not in MS-TDS 39.0; Microsoft's own drivers send it
  terminator = 0xFF,
};
/// "UTF8_SUPPORT"; "unknown" for a value without a name.
std::string_view name_of(feature_id id) noexcept;

/// One feature that a client asks for, its data as they lie on the wire; feature_data.hpp makes and reads
/// them.
struct feature {
  feature_id id{};
  std::vector<std::uint8_t> data{};
  friend bool operator==(const feature&, const feature&) = default;
};
using feature_list = std::vector<feature>;

/// The feature of this id, nullptr if it was not asked for.
const feature* find_feature(const feature_list& features, feature_id id) noexcept;

/// Reads features up to and with TERMINATOR. Fails with bad_value for a feature that comes twice.
feature_list read_feature_ext(bytes::reader& in);
/// Writes the features in the order given, and TERMINATOR.
void write_feature_ext(bytes::writer& out, const feature_list& features);
/// In ascending order of their ids, as clients send them.
void sort_features(feature_list& features);
/// Bytes that write_feature_ext writes.
std::size_t size_of_feature_ext(const feature_list& features) noexcept;

}  // namespace tds::protocol
