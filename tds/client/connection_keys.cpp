// SPDX-License-Identifier: BSL-1.0
#include <tds/client/ascii.hpp>
#include <tds/client/connection_keys.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tds {
namespace {

struct spelling {
  std::string_view text;
  connection_key key;
};

// ADO.NET (Microsoft.Data.SqlClient), ODBC Driver 17 and 18 for SQL Server, and a few of JDBC and go-mssqldb.
// The first spelling of each key is the one to suggest when two are equally near.
constexpr std::array spellings{
    spelling{"Server", connection_key::server},
    spelling{"Data Source", connection_key::server},
    spelling{"Address", connection_key::server},
    spelling{"Addr", connection_key::server},
    spelling{"Network Address", connection_key::server},
    spelling{"Server Name", connection_key::server},
    spelling{"Host", connection_key::server},
    spelling{"Port", connection_key::port},
    spelling{"Port Number", connection_key::port},
    spelling{"User ID", connection_key::user},
    spelling{"UID", connection_key::user},
    spelling{"User", connection_key::user},
    spelling{"User Name", connection_key::user},
    spelling{"Password", connection_key::password},
    spelling{"PWD", connection_key::password},
    spelling{"Database", connection_key::database},
    spelling{"Initial Catalog", connection_key::database},
    spelling{"Database Name", connection_key::database},
    spelling{"Application Name", connection_key::application_name},
    spelling{"APP", connection_key::application_name},
    spelling{"Workstation ID", connection_key::workstation_id},
    spelling{"WSID", connection_key::workstation_id},
    spelling{"Language", connection_key::language},
    spelling{"Current Language", connection_key::language},
    spelling{"AttachDbFilename", connection_key::attach_db_file},
    spelling{"Initial File Name", connection_key::attach_db_file},
    spelling{"Extended Properties", connection_key::attach_db_file},
    spelling{"Application Intent", connection_key::application_intent},
    spelling{"MultiSubnetFailover", connection_key::multi_subnet_failover},
    spelling{"Max Redirects", connection_key::max_redirects},
    spelling{"Encrypt", connection_key::encrypt},
    spelling{"TrustServerCertificate", connection_key::trust_server_certificate},
    spelling{"CA File", connection_key::ca_file},
    spelling{"HostNameInCertificate", connection_key::host_name_in_certificate},
    spelling{"ServerCertificate", connection_key::server_certificate},
    spelling{"Key Log File", connection_key::key_log_file},
    spelling{"Packet Size", connection_key::packet_size},
    spelling{"TDS Version", connection_key::tds_version},
    spelling{"Connect Timeout", connection_key::login_timeout},
    spelling{"Connection Timeout", connection_key::login_timeout},
    spelling{"Login Timeout", connection_key::login_timeout},
    spelling{"Timeout", connection_key::login_timeout},
    spelling{"Command Timeout", connection_key::query_timeout},
    spelling{"Query Timeout", connection_key::query_timeout},
    spelling{"Cancel Timeout", connection_key::cancel_timeout},
    spelling{"Integrated Security", connection_key::integrated_security},
    spelling{"Trusted_Connection", connection_key::integrated_security},
    spelling{"Authentication", connection_key::authentication},
    spelling{"Network Library", connection_key::network_library},
    spelling{"Network", connection_key::network_library},
    spelling{"Net", connection_key::network_library},
    spelling{"Driver", connection_key::driver},
    spelling{"DSN", connection_key::dsn},
    spelling{"FileDSN", connection_key::dsn},
};

// What steers a pool, a provider or a feature that has no meaning for one plain connection.
constexpr auto ignored = std::to_array<std::string_view>({
    "AnsiNPW",
    "Asynchronous Processing",
    "Async",
    "Attestation Protocol",
    "AutoTranslate",
    "Column Encryption",
    "Column Encryption Setting",
    "Connect Retry Count",
    "Connect Retry Interval",
    "Connection Lifetime",
    "Connection Reset",
    "Context Connection",
    "Description",
    "Enclave Attestation Url",
    "Enlist",
    "Failover Partner",
    "Failover Partner SPN",
    "GetDataExtensions",
    "IP Address Preference",
    "KeepAlive",
    "KeepAliveInterval",
    "Key Store Authentication",
    "Key Store Principal Id",
    "Load Balance Timeout",
    "LongAsMax",
    "MARS_Connection",
    "Max Pool Size",
    "Min Pool Size",
    "MultipleActiveResultSets",
    "OLE DB Services",
    "Persist Security Info",
    "Pool Blocking Period",
    "Pooling",
    "Provider",
    "QueryLog_On",
    "QueryLogFile",
    "QueryLogTime",
    "QuotedId",
    "Regional",
    "Replication",
    "RetryExec",
    "SaveFile",
    "Server SPN",
    "StatsLog_On",
    "StatsLogFile",
    "Transaction Binding",
    "Transparent Network IP Resolution",
    "Type System Version",
    "Use Procedure for Prepare",
    "UseFMTONLY",
    "User Instance",
    "Vector Type Support",
    "Use Encryption for Data",
});

constexpr bool skipped(char c) noexcept { return ascii::is_blank(c) || c == '_'; }

constexpr bool same_key(std::string_view a, std::string_view b) noexcept {
  std::size_t i = 0;
  for (const char c : a) {
    if (skipped(c)) continue;
    while (i < b.size() && skipped(b[i])) ++i;
    if (i == b.size() || ascii::lower(b[i]) != ascii::lower(c)) return false;
    ++i;
  }
  while (i < b.size() && skipped(b[i])) ++i;
  return i == b.size();
}

constexpr std::size_t longest_spelling = 32;

// A spelling without what does not count in it.
struct plain_key {
  std::array<char, longest_spelling> text{};
  std::size_t size = 0;

  explicit plain_key(std::string_view spelling) {
    for (const char c : spelling) {
      if (!skipped(c) && size < text.size()) text[size++] = ascii::lower(c);
    }
  }
};

// Optimal string alignment: how many insertions, deletions, changes and swaps of neighbours lie between.
std::size_t distance(const plain_key& a, const plain_key& b) {
  using row_type = std::array<std::uint8_t, longest_spelling + 1>;
  row_type before_last{};
  row_type last{};
  row_type row{};
  const auto add = [](std::uint8_t count, bool one) {
    return static_cast<std::uint8_t>(count + (one ? 1 : 0));
  };
  for (std::size_t j = 0; j <= b.size; ++j) last[j] = static_cast<std::uint8_t>(j);
  for (std::size_t i = 1; i <= a.size; ++i) {
    row[0] = static_cast<std::uint8_t>(i);
    for (std::size_t j = 1; j <= b.size; ++j) {
      const auto changed = add(last[j - 1], a.text[i - 1] != b.text[j - 1]);
      row[j] = std::min({add(last[j], true), add(row[j - 1], true), changed});
      if (i > 1 && j > 1 && a.text[i - 1] == b.text[j - 2] && a.text[i - 2] == b.text[j - 1]) {
        row[j] = std::min(row[j], add(before_last[j - 2], true));
      }
    }
    before_last = last;
    last = row;
  }
  return last[b.size];
}

}  // namespace

std::optional<connection_key> find_key(std::string_view text) noexcept {
  for (const auto& known : spellings) {
    if (same_key(known.text, text)) return known.key;
  }
  const bool is_ignored = std::ranges::any_of(ignored, [&](auto known) { return same_key(known, text); });
  return is_ignored ? std::optional{connection_key::ignored} : std::nullopt;
}

std::string_view nearest_key(std::string_view text) noexcept {
  const plain_key wanted{text};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size / 3) + 1;
  for (const auto& known : spellings) {
    const plain_key candidate{known.text};
    const auto [shorter, longer] = std::minmax(wanted.size, candidate.size);
    if (longer - shorter >= best_distance) continue;
    const std::size_t d = distance(wanted, candidate);
    if (d < best_distance) {
      best = known.text;
      best_distance = d;
    }
  }
  return best;
}

bool starts_like_password(std::string_view text) noexcept {
  const auto trimmed = ascii::trim(text);
  return ascii::starts_with(trimmed, "pwd") || ascii::starts_with(trimmed, "pass");
}

}  // namespace tds
