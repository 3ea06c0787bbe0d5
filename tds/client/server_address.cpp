// SPDX-License-Identifier: BSL-1.0
#include <tds/client/ascii.hpp>
#include <tds/client/server_address.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tds {
namespace {

struct refused_prefix {
  std::string_view prefix;
  const char* reason;
};
constexpr std::array refused_prefixes{
    refused_prefix{"np:", "named pipes (np:) are not available: only TCP"},
    refused_prefix{"\\\\", "named pipes (\\\\host\\pipe\\...) are not available: only TCP"},
    refused_prefix{"lpc:", "shared memory (lpc:) is not available: only TCP"},
    refused_prefix{"(localdb)", "LocalDB listens on a named pipe, which is not available: only TCP"},
    refused_prefix{"admin:", "the dedicated administrator connection (admin:) is not available yet"},
};

class parser {
 public:
  parser(std::string_view whole, parse_problem* problem) : whole_(whole), problem_(problem) {}

  bool read(server_address& address, std::optional<std::uint16_t> port_if_none) {
    rest_ = ascii::trim(whole_);
    if (const auto* hit = refused()) return fail(rest_, hit->reason);
    if (ascii::starts_with(rest_, "tcp:")) rest_ = ascii::trim(rest_.substr(4));
    std::optional<std::uint16_t> port;
    if (!read_port(port) || !read_instance(address) || !read_host(address)) return false;
    if (!port) port = port_if_none;
    if (!port && !address.instance.empty()) return fail(instance_, port_unknown(address));
    address.port = port.value_or(address.port);
    return true;
  }

 private:
  const refused_prefix* refused() const {
    const auto* hit = std::ranges::find_if(
        refused_prefixes, [this](const auto& p) { return ascii::starts_with(rest_, p.prefix); });
    return hit == refused_prefixes.end() ? nullptr : hit;
  }

  // `where` is a part of whole_. Returns false.
  bool fail(std::string_view where, std::string reason) {
    if (problem_ != nullptr) {
      *problem_ = {static_cast<std::size_t>(where.data() - whole_.data()), std::move(reason)};
    }
    return false;
  }

  static std::string port_unknown(const server_address& address) {
    return "the port of instance '" + address.instance +
           "' is not known, since asking the SQL Server Browser is not available yet: write " + address.host +
           "\\" + address.instance + ",PORT";
  }

  // Where the port's separator is: a comma anywhere; a colon when it is the only one or follows a bracket.
  std::size_t separator() const {
    const auto comma = rest_.find(',');
    if (comma != std::string_view::npos) return comma;
    const auto bracket = rest_.rfind(']');
    if (bracket != std::string_view::npos) return rest_.find(':', bracket);
    const auto colon = rest_.find(':');
    return colon == rest_.rfind(':') ? colon : std::string_view::npos;
  }

  bool read_port(std::optional<std::uint16_t>& port) {
    const auto at = separator();
    if (at == std::string_view::npos) return true;
    const auto text = ascii::trim(rest_.substr(at + 1));
    rest_ = ascii::trim(rest_.substr(0, at));
    if (text.empty()) return fail(text, "the port is missing");
    port = ascii::number<std::uint16_t>(text, 1, 65535);
    if (port) return true;
    return fail(text, "port '" + std::string{text.substr(0, 20)} + "' is not a number in 1..65535");
  }

  bool check(std::string_view name, std::string_view forbidden, const char* what) {
    const auto bad = std::ranges::find_if(name, [&](char c) {
      return static_cast<unsigned char>(c) < 0x21 || c == 0x7F || forbidden.find(c) != std::string_view::npos;
    });
    if (bad == name.end()) return true;
    return fail(name.substr(static_cast<std::size_t>(bad - name.begin())),
                std::string{"a character that cannot stand in "} + what);
  }

  bool read_instance(server_address& address) {
    const auto at = rest_.find('\\');
    if (at == std::string_view::npos) return true;
    const auto name = ascii::trim(rest_.substr(at + 1));
    if (name.empty()) return fail(name, "the instance's name is missing after the backslash");
    if (!check(name, "\\/:,;()[]{}\"'", "an instance's name")) return false;
    instance_ = name;
    if (!ascii::equal(name, "MSSQLSERVER")) address.instance = name;
    rest_ = ascii::trim(rest_.substr(0, at));
    return true;
  }

  bool read_host(server_address& address) {
    auto host = rest_;
    if (host.empty()) return fail(host, "the server's name is missing");
    if (host == "." || ascii::equal(host, "(local)")) {
      address.host = "localhost";
      return true;
    }
    if (host.front() == '[') {
      if (host.back() != ']') return fail(host, "the closing bracket is missing");
      host = host.substr(1, host.size() - 2);
      if (host.find(':') == std::string_view::npos) return fail(rest_, "brackets are for IPv6 addresses");
    }
    if (!check(host, "/\\()[]{}<>\"'@;=", "a server's name")) return false;
    if (host.find(':') != std::string_view::npos) {
      const auto digits = host.substr(0, host.find('%'));  // a zone may follow
      const auto other = digits.find_first_not_of("0123456789abcdefABCDEF:.");
      if (other != std::string_view::npos) return fail(host.substr(other), "not an IPv6 address");
    }
    address.host = host;
    return true;
  }

  std::string_view whole_;
  std::string_view rest_;      // what is not read yet
  std::string_view instance_;  // where its name stands
  parse_problem* problem_;
};

}  // namespace

std::string parse_problem::explain() const { return reason + ", at position " + std::to_string(position); }

result<server_address> parse_server(std::string_view text, parse_problem* problem,
                                    std::optional<std::uint16_t> port_if_none) {
  server_address address;
  if (!parser{text, problem}.read(address, port_if_none)) return make_error_code(errc::bad_argument);
  return address;
}

}  // namespace tds
