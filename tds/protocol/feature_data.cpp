// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/feature_data.hpp>

#include <algorithm>
#include <string>

namespace tds::protocol {
namespace {

constexpr std::size_t nonce_size = std::tuple_size_v<nonce>;
constexpr std::size_t signature_size = 32;
constexpr std::size_t max_name_units = 128;

template <std::size_t N>
std::array<std::uint8_t, N> read_array(bytes::reader& in, const char* field) {
  std::array<std::uint8_t, N> value{};
  std::ranges::copy(in.bytes(N, field), value.begin());
  return value;
}

// What stands in one set of recovery data, its Length read already.
session_recovery_data read_recovery_body(bytes::reader& in) {
  session_recovery_data data;
  data.database = in.b_varchar("recovery_database");
  if (data.database.units() > max_name_units) in.fail(errc::limit_exceeded, "recovery_database");
  const auto collation_size = in.u8("recovery_collation");
  if (in.ok() && collation_size != 0 && collation_size != collation::wire_size) {
    in.fail(errc::bad_length, "recovery_collation");
  }
  if (in.ok() && collation_size != 0) data.collation = read_collation(in);
  data.language = in.b_varchar("recovery_language");
  if (data.language.units() > max_name_units) in.fail(errc::limit_exceeded, "recovery_language");
  if (in.ok()) data.states = read_session_state_items(in);
  return data;
}

session_recovery_data read_recovery_data(bytes::reader& in, const char* name) {
  if (in.notes() != nullptr) in.notes()->open(in.offset(), name);
  const std::size_t length = in.u32("length");
  auto body = in.sub(length, "length");
  session_recovery_data data;
  if (in.ok()) data = read_recovery_body(body);
  in.adopt_failure(body);
  if (in.notes() != nullptr) in.notes()->close();
  return data;
}

bool write_recovery_data(bytes::writer& out, const session_recovery_data& data) {
  const std::size_t start = out.size();
  out.u32(0);
  bool fits = data.database.units() <= max_name_units && data.language.units() <= max_name_units;
  fits = out.b_varchar(data.database) && fits;
  out.u8(data.collation ? collation::wire_size : 0);
  if (data.collation) write_collation(out, *data.collation);
  fits = out.b_varchar(data.language) && fits;
  fits = write_session_state_items(out, data.states) && fits;
  out.patch_le(start, static_cast<std::uint32_t>(out.size() - start - 4));
  return fits;
}

void read_live_id(bytes::reader& in, fedauth_feature& fedauth) {
  fedauth.token = in.l_varbyte("fed_auth_token");
  in.secret();
  fedauth.nonce = read_array<nonce_size>(in, "nonce");
  const std::size_t rest = in.remaining();
  // The channel binding token has no length of its own: it is what is left in front of the signature.
  if (rest > signature_size) {
    fedauth.channel_binding_token = in.bytes(rest - signature_size, "channel_binding_token");
  }
  fedauth.signature = read_array<signature_size>(in, "signature");
}

}  // namespace

feature make_feature(feature_id id, std::uint8_t value) { return {id, {value}}; }

feature make_feature(feature_id id) { return {id, {}}; }

std::optional<std::uint8_t> feature_value(const feature& asked) noexcept {
  return asked.data.size() == 1 ? std::optional{asked.data.front()} : std::nullopt;
}

std::string_view name_of(fedauth_library library) noexcept {
  switch (library) {
    case fedauth_library::live_id_compact_token:
      return "LIVE_ID_COMPACT_TOKEN";
    case fedauth_library::security_token:
      return "SECURITY_TOKEN";
    case fedauth_library::adal:
      return "ADAL";
    case fedauth_library::reserved:
      break;
  }
  return "reserved";
}

std::string_view name_of(fedauth_workflow workflow) noexcept {
  switch (workflow) {
    case fedauth_workflow::username_password:
      return "USERNAME_PASSWORD";
    case fedauth_workflow::integrated:
      return "INTEGRATED";
  }
  return "unknown";
}

fedauth_feature read_fedauth_feature(bytes::reader& in) {
  fedauth_feature fedauth;
  // Clients put the echo bit lowest and the library above it, the reverse of the specification's usual order.
  const auto options = in.u8("options");
  fedauth.library = static_cast<fedauth_library>(options >> 1);
  fedauth.echo = (options & 1) != 0;
  in.meaning([&] { return std::string{name_of(fedauth.library)} + (fedauth.echo ? "|ECHO" : ""); });
  switch (fedauth.library) {
    case fedauth_library::live_id_compact_token:
      read_live_id(in, fedauth);
      return fedauth;
    case fedauth_library::security_token:
      fedauth.token = in.l_varbyte("fed_auth_token");
      in.secret();
      if (in.ok() && in.remaining() != 0) fedauth.nonce = read_array<nonce_size>(in, "nonce");
      return fedauth;
    case fedauth_library::adal:
      fedauth.workflow = static_cast<fedauth_workflow>(in.u8("workflow"));
      in.meaning([&] { return std::string{name_of(fedauth.workflow)}; });
      return fedauth;
    case fedauth_library::reserved:
      break;
  }
  fedauth.raw = in.bytes(in.remaining(), "fed_auth_data");
  in.secret();
  return fedauth;
}

feature make_feature(const fedauth_feature& fedauth) {
  feature made{feature_id::fedauth, {}};
  bytes::writer out{made.data};
  out.u8(
      static_cast<std::uint8_t>((static_cast<unsigned>(fedauth.library) << 1U) | (fedauth.echo ? 1U : 0U)));
  switch (fedauth.library) {
    case fedauth_library::live_id_compact_token:
      (void)out.l_varbyte(fedauth.token);
      out.bytes(fedauth.nonce.value_or(nonce{}));
      out.bytes(fedauth.channel_binding_token);
      out.bytes(fedauth.signature.value_or(std::array<std::uint8_t, signature_size>{}));
      break;
    case fedauth_library::security_token:
      (void)out.l_varbyte(fedauth.token);
      if (fedauth.nonce) out.bytes(*fedauth.nonce);
      break;
    case fedauth_library::adal:
      out.u8(static_cast<std::uint8_t>(fedauth.workflow));
      break;
    case fedauth_library::reserved:
    default:
      out.bytes(fedauth.raw);
      break;
  }
  return made;
}

session_recovery_feature read_session_recovery_feature(bytes::reader& in) {
  session_recovery_feature recovery;
  if (in.remaining() == 0) return recovery;
  recovery.initial = read_recovery_data(in, "init_session_recovery_data");
  recovery.to_be = read_recovery_data(in, "session_recovery_data_to_be");
  return recovery;
}

std::optional<feature> make_feature(const session_recovery_feature& recovery) {
  feature made{feature_id::sessionrecovery, {}};
  if (!recovery.initial && !recovery.to_be) return made;
  bytes::writer out{made.data};
  const session_recovery_data nothing;
  bool fits = write_recovery_data(out, recovery.initial ? *recovery.initial : nothing);
  fits = write_recovery_data(out, recovery.to_be ? *recovery.to_be : nothing) && fits;
  return fits ? std::optional{std::move(made)} : std::nullopt;
}

void annotate_feature(bytes::reader& in, feature_id id) {
  if (id == feature_id::fedauth) {
    (void)read_fedauth_feature(in);
  } else if (id == feature_id::sessionrecovery) {
    (void)read_session_recovery_feature(in);
  } else if (in.remaining() == 1) {
    (void)in.u8("feature_data");
  }
  if (in.remaining() != 0) {
    in.skip(in.remaining(), "feature_data");
    if (id == feature_id::fedauth) in.secret();
  }
}

}  // namespace tds::protocol
