// SPDX-License-Identifier: BSL-1.0
#include "connect.hpp"

#include "exit_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace wiregap {

namespace {

using tds::encrypt_mode;
using tds::errc;

// What failed before a byte went out is said by the detail alone, with the addresses tried; the code's text
// would say it again.
std::string what_failed(const tds::error_code& ec, const tds::diagnostics& diag) {
  if (ec == errc::operation_canceled) return "interrupted before the login was done";
  const bool no_peer =
      ec == errc::host_not_found || ec == errc::connection_refused || ec.category() != tds::tds_category();
  if (no_peer && !diag.detail.empty()) return diag.detail;
  return tds::explain(ec, diag);
}

std::string what_to_try_with_certificate(const errc code, bool strict) {
  // Strict encryption takes no certificate unseen, whatever -C says.
  const std::string_view unseen =
      strict ? "-J FILE expects exactly this certificate" : "-C takes any certificate";
  if (code == errc::certificate_wrong_host)
    return fmt::format("if it is the right server, -F NAME gives the name to expect; {}", unseen);
  if (code == errc::certificate_expired)
    return fmt::format("the server needs a new one (or this machine's clock is wrong); {}", unseen);
  return fmt::format("--ca-file FILE trusts its issuer; {}", unseen);
}

std::string what_to_try(const tds::connect_params& params, const tds::error_code& ec) {
  if (ec.category() != tds::tds_category()) return {};
  const bool strict = params.encrypt == encrypt_mode::strict;
  constexpr std::string_view usual_port =
      "is the port right? SQL Server's is 1433 unless it is set otherwise";
  switch (const auto code = static_cast<errc>(ec.value())) {
    case errc::certificate_untrusted:
    case errc::certificate_expired:
    case errc::certificate_wrong_host:
      return what_to_try_with_certificate(code, strict);
    case errc::strict_not_supported:
    case errc::tls_not_tds8:
      return strict ? "-N mandatory encrypts as TDS 7.x does" : "";
    case errc::encryption_not_supported:
      return "-N optional does without, and the password can then be read on the way";
    case errc::encryption_required:
      return "use -N mandatory";
    case errc::not_tds:
      return std::string{usual_port};
    case errc::server_closed:
      return strict ? "" : "if it is SQL Server that wants TDS 8.0, use -N strict";
    case errc::host_not_found:
      return "is the name right, and does this machine's DNS know it?";
    case errc::connection_refused:
      return fmt::format("is the server running, with TCP/IP enabled? {}", usual_port);
    case errc::timed_out:
      return "-l SECONDS waits longer";
    default:
      return {};
  }
}

}  // namespace

std::string connect_problem(const tds::connect_params& params, const tds::error_code& ec,
                            const tds::diagnostics& diag) {
  auto out = fmt::format("{},{}: {}", params.host, params.port, what_failed(ec, diag));
  if (const auto advice = what_to_try(params, ec); !advice.empty()) out.append("; ").append(advice);
  // A server's words may hold line ends, and what is not a SQL Server may say anything.
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return out;
}

void connect(interrupt& ctrl_c, tds::connection& connection, tds::connect_params params) {
  auto shown = params;
  shown.password = {};
  if (const auto ec = ctrl_c.run(connection.async_connect(std::move(params))))
    throw cannot_measure{connect_problem(shown, ec, connection.diag())};
}

}  // namespace wiregap
