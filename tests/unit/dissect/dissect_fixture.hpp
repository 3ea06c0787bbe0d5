// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tests/support/golden.hpp"
#include <tds/dissect/dissector.hpp>
#include <tds/dissect/render.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace wiregap_test {

/// All messages of a stream, and the error that ended it.
struct dissection {
  std::vector<tds::dissect::message> messages{};
  std::optional<tds::decode_error> error{};
};

inline dissection dissect(const std::vector<std::uint8_t>& stream, const tds::dissect::settings& how = {}) {
  dissection found;
  tds::dissect::dissector dissector{how};
  found.error =
      dissector.decode(stream, [&](const tds::dissect::message& m) { found.messages.push_back(m); });
  return found;
}

inline std::string render_all(const dissection& found, const tds::dissect::render_options& how = {}) {
  std::string text;
  for (const auto& m : found.messages) tds::dissect::render(text, m, how);
  return text;
}

/// Every byte of the message lies in an annotation, and no annotation outside of the message.
inline void expect_covered(const tds::dissect::message& m) {
  std::vector<bool> covered(m.payload.size(), false);
  for (const auto& field : m.fields) {
    ASSERT_LE(field.offset + field.size, m.payload.size()) << field.field;
    for (std::size_t i = 0; i < field.size; ++i) covered[field.offset + i] = true;
  }
  const auto gap = std::ranges::find(covered, false);
  EXPECT_EQ(gap, covered.end()) << m.title << ": nothing for the byte at " << gap - covered.begin();
}

inline const tds::bytes::annotation* find_field(const tds::dissect::message& m, const std::string& name) {
  const auto found = std::ranges::find(m.fields, name, &tds::bytes::annotation::field);
  return found != m.fields.end() ? &*found : nullptr;
}

inline std::string value_of(const tds::dissect::message& m, const std::string& name) {
  const auto* field = find_field(m, name);
  return field != nullptr ? field->value : "no " + name;
}

}  // namespace wiregap_test
