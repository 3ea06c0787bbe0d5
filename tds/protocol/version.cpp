// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/version.hpp>

#include <algorithm>
#include <array>

namespace tds::protocol {
namespace {

struct entry {
  tds_version version;
  std::uint32_t login7;
  std::uint32_t loginack;
  std::string_view name;
};

// In the order of the enum. The two values agree from the SP1 revision of 7.1 on.
constexpr std::array entries{
    entry{tds_version::v7_0, 0x70000000, 0x07000000, "7.0"},
    entry{tds_version::v7_1, 0x71000001, 0x71000001, "7.1"},
    entry{tds_version::v7_2, 0x72090002, 0x72090002, "7.2"},
    entry{tds_version::v7_3a, 0x730A0003, 0x730A0003, "7.3A"},
    entry{tds_version::v7_3b, 0x730B0003, 0x730B0003, "7.3B"},
    entry{tds_version::v7_4, 0x74000004, 0x74000004, "7.4"},
    entry{tds_version::v8_0, 0x08000000, 0x08000000, "8.0"},
};

// SQL Server 2000 before SP1.
constexpr std::uint32_t first_7_1_login7 = 0x71000000;
constexpr std::uint32_t first_7_1_loginack = 0x07010000;

const entry& entry_of(tds_version version) noexcept {
  return entries[std::min(static_cast<std::size_t>(version), entries.size() - 1)];
}

}  // namespace

std::uint32_t login7_value(tds_version version) noexcept { return entry_of(version).login7; }

std::uint32_t loginack_value(tds_version version) noexcept { return entry_of(version).loginack; }

std::string_view name_of(tds_version version) noexcept { return entry_of(version).name; }

std::optional<tds_version> version_from_login7(std::uint32_t value) noexcept {
  if (value == first_7_1_login7) return tds_version::v7_1;
  const auto* found = std::ranges::find(entries, value, &entry::login7);
  return found != entries.end() ? std::optional{found->version} : std::nullopt;
}

std::optional<tds_version> version_from_loginack(std::uint32_t value) noexcept {
  if (value == first_7_1_loginack || value == first_7_1_login7) return tds_version::v7_1;
  const auto* found = std::ranges::find(entries, value, &entry::loginack);
  return found != entries.end() ? std::optional{found->version} : std::nullopt;
}

std::optional<tds_version> negotiate_version(std::uint32_t login7_version, tds_version highest) noexcept {
  const auto known = version_from_login7(login7_version);
  if (known) return std::min(*known, highest);
  // 7.x lies above 0x70000000 and 8.0 on a scale of its own, so the two are compared apart.
  if (login7_version < 0x70000000) {
    return login7_version > login7_value(tds_version::v8_0) ? std::optional{highest} : std::nullopt;
  }
  std::optional<tds_version> best;
  for (const auto& candidate : entries) {
    if (candidate.login7 <= login7_version && candidate.version <= highest &&
        candidate.version != tds_version::v8_0) {
      best = candidate.version;
    }
  }
  return best;
}

}  // namespace tds::protocol
