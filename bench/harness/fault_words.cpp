// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/fault_words.hpp>
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace wiregap {

const char* const fault_conditions_help =
    "KIND[=PAUSE][,min=BYTES][,max=BYTES][,contains=TEXT][,every=N][,probability=P][,seed=N][,limit=N][,at="
    "BYTE]";

namespace {

using tds::serving::fault;
using tds::serving::fault_kind;

fault_kind kind_of(std::string_view name) {
  std::string known;
  for (std::size_t i = 0; i < tds::serving::fault_kinds; ++i) {
    const auto kind = static_cast<fault_kind>(i);
    if (name == name_of(kind)) return kind;
    known.append(i == 0 ? "" : ", ").append(name_of(kind));
  }
  throw std::invalid_argument{fmt::format("no kind '{}'; {}; kinds: {}", name, fault_conditions_help, known)};
}

// False for a member that there is not.
bool set_member(fault& out, const std::string& key, const std::string& value) {
  if (key == "min") {
    out.min_bytes = std::stoull(value);
  } else if (key == "max") {
    out.max_bytes = std::stoull(value);
  } else if (key == "contains") {
    out.contains = value;
  } else if (key == "every") {
    out.every_nth = std::stoull(value);
  } else if (key == "probability") {
    out.probability = std::stod(value);
  } else if (key == "seed") {
    out.seed = std::stoull(value);
  } else if (key == "limit") {
    out.limit = std::stoull(value);
  } else if (key == "at") {
    out.at = std::stoull(value);
  } else {
    return false;
  }
  return true;
}

void read_member(fault& out, const std::string& key, const std::string& value) {
  bool known = false;
  try {
    known = set_member(out, key, value);
  } catch (const std::exception&) {  // not a number
  }
  if (!known) {
    throw std::invalid_argument{
        fmt::format("'{}={}' is not understood; {}", key, value, fault_conditions_help)};
  }
}

fault read_fault(const std::string& text) {
  fault out;
  bool first = true;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    const auto item = text.substr(at, end - at);
    const auto equals = item.find('=');
    const auto key = item.substr(0, equals);
    const auto value = equals == std::string::npos ? std::string{} : item.substr(equals + 1);
    if (!first) {
      read_member(out, key, value);
    } else {
      out.kind = kind_of(key);
      if (!value.empty()) out.pause = parse_duration(value);
    }
    first = false;
    at = end + 1;
  }
  return out;
}

}  // namespace

fault parse_fault(const std::string& text) {
  try {
    return read_fault(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument{fmt::format("--fault {}: {}", text, error.what())};
  }
}

}  // namespace wiregap
