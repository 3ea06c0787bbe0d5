// SPDX-License-Identifier: BSL-1.0
#include <tds/client/ascii.hpp>
#include <tds/client/connection_keys.hpp>
#include <tds/client/connection_string.hpp>
#include <tds/client/connection_tokens.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace tds {
namespace {

constexpr std::size_t longest_string = 64UL * 1024;
constexpr std::size_t longest_shown = 40;

template <class T>
struct named {
  std::string_view name;
  T value;
};

constexpr std::array booleans{
    named<bool>{"yes", true},    named<bool>{"no", false}, named<bool>{"true", true},
    named<bool>{"false", false}, named<bool>{"1", true},   named<bool>{"0", false},
};
constexpr std::array encrypt_modes{
    named<encrypt_mode>{"strict", encrypt_mode::strict},
    named<encrypt_mode>{"mandatory", encrypt_mode::mandatory},
    named<encrypt_mode>{"yes", encrypt_mode::mandatory},
    named<encrypt_mode>{"true", encrypt_mode::mandatory},
    named<encrypt_mode>{"1", encrypt_mode::mandatory},
    named<encrypt_mode>{"optional", encrypt_mode::optional},
    named<encrypt_mode>{"no", encrypt_mode::optional},
    named<encrypt_mode>{"false", encrypt_mode::optional},
    named<encrypt_mode>{"0", encrypt_mode::optional},
    named<encrypt_mode>{"disable", encrypt_mode::disable},
    named<encrypt_mode>{"disabled", encrypt_mode::disable},
};
constexpr std::array intents{named<bool>{"ReadOnly", true}, named<bool>{"ReadWrite", false}};
constexpr std::array integrated{
    named<bool>{"yes", true},    named<bool>{"no", false}, named<bool>{"true", true},
    named<bool>{"false", false}, named<bool>{"1", true},   named<bool>{"0", false},
    named<bool>{"SSPI", true},
};
constexpr std::array versions{
    named<protocol::tds_version>{"7.0", protocol::tds_version::v7_0},
    named<protocol::tds_version>{"7.1", protocol::tds_version::v7_1},
    named<protocol::tds_version>{"7.2", protocol::tds_version::v7_2},
    named<protocol::tds_version>{"7.3A", protocol::tds_version::v7_3a},
    named<protocol::tds_version>{"7.3B", protocol::tds_version::v7_3b},
    named<protocol::tds_version>{"7.3", protocol::tds_version::v7_3b},
    named<protocol::tds_version>{"7.4", protocol::tds_version::v7_4},
};

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

class parser {
 public:
  parser(std::string_view text, parse_problem* problem, std::vector<std::string>* ignored)
      : tokens_(text), size_(text.size()), problem_(problem), ignored_(ignored) {}

  bool run() {
    if (size_ > longest_string) return fail(longest_string, "longer than 64 KiB");
    connection_pair pair;
    for (;;) {
      switch (tokens_.next(pair)) {
        case connection_tokens::outcome::error:
          return fail(tokens_.error_position(), tokens_.reason());
        case connection_tokens::outcome::end:
          return finish();
        case connection_tokens::outcome::pair:
          if (!take(pair)) return false;
      }
    }
  }

  connect_params& params() noexcept { return params_; }
  errc code() const noexcept { return code_; }

 private:
  bool take(const connection_pair& pair) {
    const auto key = find_key(pair.key.text);
    if (!key) return fail_unknown(pair.key);
    after_password_ = *key == connection_key::password;
    if (*key == connection_key::ignored) return ignore(pair);
    if (*key == connection_key::driver || *key == connection_key::dsn) return take_odbc(*key, pair);
    if (pair.closing == '"' || pair.closing == '\'') quoted_ = true;
    const auto index = static_cast<std::size_t>(*key);
    if (odbc_ && seen_.test(index)) return true;
    seen_.set(index);
    key_ = pair.key;
    value_ = pair.value;
    if (*key == connection_key::password) return set_password(pair);
    const std::string value = pair.unquoted();
    if (!set(*key, value)) return false;
    return check();
  }

  bool ignore(const connection_pair& pair) {
    if (ignored_ != nullptr) ignored_->emplace_back(pair.key.text);
    return true;
  }

  bool take_odbc(connection_key key, const connection_pair& pair) {
    if (quoted_) {
      return fail(pair.key.position,
                  "Driver and DSN must stand before any value in quotes: under ODBC's rules "
                  "a quote belongs to the value");
    }
    odbc_ = true;
    tokens_.follow_odbc();
    if (key == connection_key::driver) return true;
    if (!pair.value.text.empty()) dsn_ = pair.key;
    return ignore(pair);
  }

  bool set_password(const connection_pair& pair) {
    std::string value = pair.unquoted();
    params_.password = secret{value};
    wipe_memory(value.data(), value.size());
    return check();
  }

  bool set(connection_key key, const std::string& value) {
    if (key == connection_key::server) return set_server(value);
    if (value.empty()) return true;
    switch (key) {
      case connection_key::user:
        return assign(params_.user, value);
      case connection_key::database:
        return assign(params_.database, value);
      case connection_key::application_name:
        return assign(params_.application_name, value);
      case connection_key::workstation_id:
        return assign(params_.workstation_id, value);
      case connection_key::language:
        return assign(params_.language, value);
      case connection_key::attach_db_file:
        return assign(params_.attach_db_file, value);
      case connection_key::ca_file:
        return assign(params_.ca_file, value);
      case connection_key::host_name_in_certificate:
        return assign(params_.host_name_in_certificate, value);
      case connection_key::server_certificate:
        return assign(params_.server_certificate_file, value);
      case connection_key::key_log_file:
        return assign(params_.key_log_file, value);
      default:
        return set_value(key, value);
    }
  }

  bool set_value(connection_key key, std::string_view value) {
    switch (key) {
      case connection_key::port:
        return number(port_, value, std::uint16_t{1}, std::uint16_t{65535});
      case connection_key::packet_size:
        return number(params_.packet_size, value, connect_params::min_packet_size,
                      connect_params::max_packet_size);
      case connection_key::max_redirects:
        return number(params_.max_redirects, value, std::uint8_t{0}, std::uint8_t{255});
      case connection_key::login_timeout:
        return seconds(params_.login_timeout, value);
      case connection_key::query_timeout:
        return seconds(params_.query_timeout, value);
      case connection_key::cancel_timeout:
        return seconds(params_.cancel_timeout, value);
      case connection_key::encrypt:
        return choose(params_.encrypt, value, encrypt_modes);
      case connection_key::trust_server_certificate:
        return choose(params_.trust_server_certificate, value, booleans);
      case connection_key::multi_subnet_failover:
        return choose(params_.multi_subnet_failover, value, booleans);
      case connection_key::application_intent:
        return choose(params_.read_only_intent, value, intents);
      case connection_key::tds_version:
        return set_version(value);
      default:
        return check_transport(key, value);
    }
  }

  bool check_transport(connection_key key, std::string_view value) {
    if (key == connection_key::integrated_security) {
      bool wanted = false;
      if (!choose(wanted, value, integrated)) return false;
      if (!wanted) return true;
      code_ = errc::auth_not_supported;
      return fail(key_.position, "integrated security is not available yet: give User ID and Password");
    }
    if (key == connection_key::authentication) {
      if (ascii::equal(value, "SqlPassword") || ascii::equal(value, "Sql Password") ||
          ascii::equal(value, "NotSpecified")) {
        return true;
      }
      code_ = errc::auth_not_supported;
      return fail(value_.position, "only Authentication=SqlPassword is available yet");
    }
    if (ascii::equal(value, "dbmssocn") || ascii::equal(value, "tcp")) return true;
    return fail(value_.position, "only TCP (dbmssocn) is available as network library");
  }

  bool set_server(const std::string& value) {
    if (value.empty()) return fail(value_.position, "the server's name is missing");
    server_ = value;
    server_value_ = value_;
    return true;
  }

  bool set_version(std::string_view value) {
    if (value == "8.0") return fail(value_.position, "TDS 8.0 is chosen with Encrypt=strict");
    return choose(params_.version, value, versions);
  }

  static bool assign(std::string& field, const std::string& value) {
    field = value;
    return true;
  }

  template <class Field, class T>
  bool number(Field& field, std::string_view value, T low, T high) {
    const auto read = ascii::number<T>(value, low, high);
    if (!read) {
      return fail(value_.position, quote(key_.text) + " must be a number in " + std::to_string(low) + ".." +
                                       std::to_string(high));
    }
    field = *read;
    return true;
  }

  bool seconds(std::chrono::milliseconds& field, std::string_view value) {
    std::int32_t count = 0;
    if (!number(count, value, std::int32_t{0}, std::numeric_limits<std::int32_t>::max())) return false;
    field = std::chrono::seconds{count};
    return true;
  }

  template <class T, std::size_t N>
  bool choose(T& field, std::string_view value, const std::array<named<T>, N>& choices) {
    std::string list;
    for (const auto& choice : choices) {
      if (ascii::equal(choice.name, value)) {
        field = choice.value;
        return true;
      }
      list.append(list.empty() ? "" : ", ").append(choice.name);
    }
    return fail(value_.position, quote(key_.text) + " must be one of " + list);
  }

  // The pair just taken is the only one that can have broken something.
  bool check() {
    std::string found = problem_of(params_);
    return found.empty() || fail(value_.position, std::move(found));
  }

  bool finish() {
    if (server_.empty()) {
      if (port_) params_.port = *port_;
      return dsn_.text.empty() ||
             fail(dsn_.position, "what a DSN stands for is not looked up: name the server with Server=");
    }
    parse_problem problem;
    const auto address = parse_server(server_, &problem, port_);
    // The position inside the value holds as long as no doubled quote stands before it.
    if (!address) return fail(server_value_.position + problem.position, std::move(problem.reason));
    value_ = server_value_;
    if (port_ && *port_ != address->port)
      return fail(value_.position, "Server and Port name different ports");
    params_.host = address->host;
    params_.port = address->port;
    params_.instance = address->instance;
    return check();
  }

  bool fail(std::size_t position, std::string reason) {
    if (problem_ != nullptr) *problem_ = {std::min(position, size_), std::move(reason)};
    return false;
  }

  bool fail_unknown(placed_text key) {
    const auto nearest = nearest_key(key.text);
    const std::string guess = nearest.empty() ? "" : "; did you mean " + quote(nearest) + "?";
    // A password that should have been quoted leaves its rest where the next key is expected.
    if (after_password_) {
      return fail(key.position, "unknown key after the password (if it contains ';', quote it)" + guess);
    }
    if (key.text.size() > longest_shown || !is_printable(key.text) || starts_like_password(key.text)) {
      return fail(key.position, "unknown key" + guess);
    }
    return fail(key.position, "unknown key " + quote(key.text) + guess);
  }

  static std::string quote(std::string_view text) { return "'" + std::string{text} + "'"; }

  connection_tokens tokens_;
  std::size_t size_;
  parse_problem* problem_;
  std::vector<std::string>* ignored_;
  connect_params params_{};
  errc code_ = errc::bad_connection_string;

  placed_text key_{};  // of the pair being taken
  placed_text value_{};
  placed_text server_value_{};
  placed_text dsn_{};
  std::string server_{};
  std::optional<std::uint16_t> port_{};
  std::bitset<static_cast<std::size_t>(connection_key::ignored)> seen_{};
  bool odbc_ = false;
  bool quoted_ = false;
  bool after_password_ = false;
};

}  // namespace

result<connect_params> parse_connection_string(std::string_view text, parse_problem* problem,
                                               std::vector<std::string>* ignored) {
  parser parse{text, problem, ignored};
  if (!parse.run()) return make_error_code(parse.code());
  return std::move(parse.params());
}

}  // namespace tds
