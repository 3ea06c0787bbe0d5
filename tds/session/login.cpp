// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/other_services.hpp>
#include <tds/session/login.hpp>
#include <tds/session/login_request.hpp>

#include <algorithm>

namespace tds::session {

namespace {

constexpr std::size_t longest_prelogin = 4096;  // a reply is some fifty bytes
constexpr std::size_t shown_bytes = 48;
constexpr std::uint8_t utf8_support_feature = 0x0A;  // MS-TDS 2.2.6.4

// Some gateways name the server as "host\instance".
route route_of(const protocol::routing& from) {
  route out{from.server.utf8(), from.port, from.database.utf8(), {}};
  if (const auto at = out.host.find('\\'); at != std::string::npos) {
    out.instance = out.host.substr(at + 1);
    out.host.resize(at);
  }
  return out;
}

// "HTTP/1.1 400 Bad Request" or hex: what a server that is not TDS said.
std::string show(bytes::byte_span raw) {
  const auto end = std::find_if(raw.begin(), raw.end(), [](std::uint8_t c) { return c < 0x20 || c > 0x7E; });
  const auto printable = static_cast<std::size_t>(end - raw.begin());
  if (printable >= 4) return '"' + std::string{raw.begin(), end} + '"';
  return bytes::hex(raw, 16);
}

std::string not_tds_detail(bytes::byte_span raw) {
  constexpr std::uint8_t tls_alert = 0x15;
  std::string out = "it answered PRELOGIN with " + show(raw);
  if (const auto service = protocol::recognize_other_service(raw); !service.empty()) {
    out.append(", which looks like ").append(service);
  }
  if (!raw.empty() && raw[0] == tls_alert) out += ", a TLS alert: it may demand strict encryption (TDS 8.0)";
  return out;
}

}  // namespace

std::string_view name_of(login::state s) noexcept {
  switch (s) {
    case login::state::idle:
      return "idle";
    case login::state::connecting:
      return "connecting";
    case login::state::strict_tls:
      return "strict_tls";
    case login::state::sending_prelogin:
      return "sending_prelogin";
    case login::state::awaiting_prelogin:
      return "awaiting_prelogin";
    case login::state::wrapped_tls:
      return "wrapped_tls";
    case login::state::sending_login:
      return "sending_login";
    case login::state::awaiting_login:
      return "awaiting_login";
    case login::state::logged_in:
      return "logged_in";
    case login::state::failed:
      return "failed";
  }
  return "unknown";
}

login::login(login_options options, environment& env, response_reader& reader)
    : options_(std::move(options)),
      env_(env),
      reader_(reader),
      target_{options_.host, options_.port, {}, options_.instance} {}

void login::forget_password() noexcept {
  options_.password.wipe();
  wipe(output_.data);  // the password in a form that anybody can reverse
  output_.clear();
}

action login::start() {
  state_ = state::connecting;
  return {step::connect, {}};
}

action login::connected() {
  env_ = environment{};
  env_.version = options_.version;
  acknowledged_ = saw_error_ = false;
  routed_.reset();
  reader_.reset();
  if (!options_.strict) return send_prelogin();
  state_ = state::strict_tls;
  return {step::start_tls_strict, {}};
}

action login::tls_established() {
  if (state_ == state::strict_tls) return send_prelogin();
  return send_login();
}

action login::send_prelogin() {
  prelogin_reply_.clear();
  first_bytes_.clear();
  prelogin_joiner_ = protocol::packet_joiner{protocol::packet_types{protocol::packet_type::tabular_result}};
  output_.clear();
  if (const auto ec = write_prelogin_request(output_, options_, target_)) return fail(ec);
  state_ = state::sending_prelogin;
  return {step::write, {}};
}

action login::written() {
  switch (state_) {
    case state::sending_prelogin:
      state_ = state::awaiting_prelogin;
      return {step::read, {}};
    case state::sending_login:
      wipe(output_.data);  // a redirected login writes it anew
      output_.clear();
      state_ = state::awaiting_login;
      reader_.begin_message();
      return {step::read, {}};
    default:
      return fail(errc::operation_in_progress);
  }
}

action login::received(bytes::byte_span input) {
  if (state_ == state::awaiting_prelogin) return on_prelogin_bytes(input);
  if (state_ != state::awaiting_login) return fail(errc::operation_in_progress);
  reader_.feed(input);
  return pump();
}

action login::closed(error_code why) {
  switch (state_) {
    case state::strict_tls:
      return fail(errc::strict_not_supported, "the server ended the connection when TLS came first");
    case state::sending_prelogin:
    case state::awaiting_prelogin:
      return fail(
          why,
          "in answer to PRELOGIN; it may not be SQL Server (PostgreSQL hangs up like this), or demand strict "
          "encryption (TDS 8.0)");
    case state::awaiting_login:
      if (saw_error_) return fail(errc::login_failed);
      return fail(why, "in the answer to LOGIN7, " + reader_.position());
    default:
      return fail(why, std::string{"while "}.append(name_of(state_)));
  }
}

action login::on_prelogin_bytes(bytes::byte_span input) {
  const auto wanted = std::min(shown_bytes - first_bytes_.size(), input.size());
  first_bytes_.insert(first_bytes_.end(), input.begin(), input.begin() + static_cast<std::ptrdiff_t>(wanted));
  prelogin_joiner_.feed(input);
  for (;;) {
    const auto found = prelogin_joiner_.next();
    switch (found.kind) {
      case protocol::packet_event_kind::need_more:
        return {step::read, {}};
      case protocol::packet_event_kind::header:
        break;
      case protocol::packet_event_kind::payload:
        if (prelogin_reply_.size() + found.bytes.size() > longest_prelogin) {
          return fail(errc::not_tds, not_tds_detail(first_bytes_));
        }
        prelogin_reply_.insert(prelogin_reply_.end(), found.bytes.begin(), found.bytes.end());
        break;
      case protocol::packet_event_kind::end_of_message:
        return on_prelogin();
      case protocol::packet_event_kind::failed:
        return fail(errc::not_tds, not_tds_detail(first_bytes_));
    }
  }
}

action login::on_prelogin() {
  bytes::reader in{prelogin_reply_};
  const auto reply = protocol::read_prelogin(in);
  if (!in.ok()) {
    // A server that answers with tokens refuses before the login: its error says why.
    if (!prelogin_reply_.empty() &&
        prelogin_reply_[0] == static_cast<std::uint8_t>(protocol::token_type::error)) {
      bytes::reader token{bytes::byte_span{prelogin_reply_}.subspan(1)};
      const auto message = protocol::read_message_token(token, protocol::token_type::error, env_.version);
      if (token.ok()) diag_.messages.push_back(own(message));
      return fail(errc::login_failed);
    }
    return fail(errc::not_tds, in.error().explain());
  }
  if (reply.instance_mismatch()) {
    return fail(errc::login_failed, "the server is not the instance " + target_.instance);
  }
  if (options_.strict) {
    env_.largest_packet = protocol::max_packet_size_under_tls;
    return send_login();
  }
  const auto mode = protocol::negotiate_encryption(options_.encryption, reply.encryption);
  if (!mode) return fail(mode.error());
  mode_ = *mode;
  if (mode_ == protocol::encryption_mode::none) return send_login();
  if (mode_ == protocol::encryption_mode::full) env_.largest_packet = protocol::max_packet_size_under_tls;
  state_ = state::wrapped_tls;
  return {step::start_tls_wrapped, {}};
}

action login::send_login() {
  output_.clear();
  std::string problem;
  options_.packet_size =
      static_cast<std::uint32_t>(std::min<std::size_t>(options_.packet_size, env_.largest_packet));
  if (const auto ec = write_login_request(output_, options_, target_, problem)) {
    return fail(ec, std::move(problem));
  }
  state_ = state::sending_login;
  return {mode_ == protocol::encryption_mode::login_only ? step::write_login_only : step::write, {}};
}

action login::pump() {
  protocol::token token;
  for (;;) {
    switch (reader_.next(token)) {
      case response_reader::event::token: {
        const action next = on_token(token);
        if (next.what != step::read) return next;
        break;
      }
      case response_reader::event::message_end:
        return on_login_end();
      case response_reader::event::need_more:
        return {step::read, {}};
      case response_reader::event::failed:
        return fail(reader_.error().code, reader_.error().explain());
    }
  }
}

// step::read means: go on with what has been read.
action login::on_token(const protocol::token& token) {
  constexpr action go_on{step::read, {}};
  if (const auto* change = std::get_if<protocol::envchange>(&token)) {
    if (change->route && !routed_) {
      routed_ = route_of(*change->route);
    }
  } else if (const auto* message = std::get_if<protocol::message_token>(&token)) {
    diag_.messages.push_back(own(*message));
    saw_error_ = saw_error_ || message->is_error();
  } else if (const auto* ack = std::get_if<protocol::loginack>(&token)) {
    if (!env_.apply(*ack))
      return fail(errc::version_not_supported, "LOGINACK names version " + std::to_string(ack->tds_version));
    reader_.set_version(env_.version);
    acknowledged_ = true;
  } else if (const auto* features = std::get_if<protocol::featureextack>(&token)) {
    return on_features(*features);
  } else if (std::holds_alternative<protocol::sspi_token>(token)) {
    return fail(errc::auth_not_supported, "the server asks for integrated authentication (SSPI)");
  } else if (std::holds_alternative<protocol::fedauthinfo>(token)) {
    return fail(errc::auth_not_supported, "the server asks for a federated token");
  }
  return go_on;
}

action login::on_features(const protocol::featureextack& ack) {
  for (const auto& feature : ack.features) {
    if (feature.id != utf8_support_feature || !options_.utf8_support) {
      return fail(errc::feature_not_requested, "feature " + std::to_string(feature.id));
    }
    env_.utf8 = !feature.data.empty() && feature.data[0] == 1;
  }
  return {step::read, {}};
}

action login::on_login_end() {
  if (saw_error_) return fail(errc::login_failed);
  if (routed_) {
    if (redirects_ >= options_.max_redirects) {
      return fail(errc::too_many_redirects,
                  "the last one to " + routed_->host + ':' + std::to_string(routed_->port));
    }
    ++redirects_;
    target_ = *std::exchange(routed_, std::nullopt);
    if (!target_.database.empty()) options_.database = target_.database;
    mode_ = protocol::encryption_mode::none;
    state_ = state::connecting;
    return {step::connect, {}};
  }
  if (!acknowledged_) return fail(errc::login_incomplete);
  reader_.set_packet_limit(protocol::max_packet_size);
  state_ = state::logged_in;
  return finish();
}

action login::fail(error_code ec, std::string detail) {
  state_ = state::failed;
  if (!detail.empty()) diag_.detail = std::move(detail);
  return finish(ec);
}

}  // namespace tds::session
