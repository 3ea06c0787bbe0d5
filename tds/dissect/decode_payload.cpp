// SPDX-License-Identifier: BSL-1.0
#include <tds/dissect/coverage.hpp>
#include <tds/dissect/decode_payload.hpp>
#include <tds/dissect/decode_response.hpp>
#include <tds/dissect/tls_records.hpp>
#include <tds/protocol/auth_messages.hpp>
#include <tds/protocol/login7.hpp>
#include <tds/protocol/prelogin.hpp>
#include <tds/protocol/sql_batch.hpp>

#include <algorithm>
#include <utility>

namespace tds::dissect {
namespace {

using protocol::packet_type;
using protocol::tds_version;

// Up to the OffsetLength table nothing in a LOGIN7 can be a secret.
constexpr std::size_t login7_fixed_size = 36;
constexpr std::size_t login7_table_end = 94;

class payload_decoder {
 public:
  payload_decoder(message& found, conversation_state& state, const settings& how)
      : found_(found), state_(state), how_(how) {}

  void decode(bool after_tls) {
    const std::string remark = std::exchange(found_.title, {});
    if (!found_.type) {
      found_.title = "TLS record";
      read([](bytes::reader& in) { note_tls_records(in); });
    } else {
      found_.title = protocol::name_of(*found_.type);
      decode_type(after_tls);
    }
    found_.title += remark;
    cover_gaps(found_, secrets_);
  }

 private:
  void decode_type(bool after_tls) {
    switch (*found_.type) {
      case packet_type::sql_batch:
        return decode_with_headers(
            [](bytes::reader& in, tds_version version) { (void)protocol::read_sql_batch(in, version); });
      case packet_type::rpc:
      case packet_type::transaction_manager_request:
        found_.title += " (decoded up to its ALL_HEADERS only)";
        return decode_with_headers([](bytes::reader& in, tds_version version) {
          if (version >= tds_version::v7_2) (void)protocol::read_all_headers(in);
          note_undecoded(in);
        });
      case packet_type::bulk_load:
        found_.title += " (not decoded)";
        return read([](bytes::reader& in) { note_undecoded(in); });
      case packet_type::tabular_result:
        return decode_answer();
      case packet_type::federated_auth_token:
        secrets_ = secret_policy::unclaimed;
        return read([](bytes::reader& in) { (void)protocol::read_federated_auth_token(in); });
      case packet_type::login7:
        return decode_login7(after_tls);
      case packet_type::sspi:
        secrets_ = secret_policy::unclaimed;
        return read([](bytes::reader& in) { (void)protocol::read_sspi_message(in); });
      case packet_type::prelogin:
        return decode_prelogin();
      case packet_type::attention:
        return read([](bytes::reader&) {});
      case packet_type::pre_tds7_login:
        break;
    }
    // A login of TDS 4.2 or 5.0: its password is in clear.
    secrets_ = secret_policy::unclaimed;
    fail({errc::unexpected_packet_type, 0, "type", "TDS older than 7.0 is not decoded"});
  }

  // Reads all of the payload; `fields` takes what it knows.
  template <class Read>
  void read(Read&& fields) {
    bytes::annotations notes;
    bytes::reader in{found_.payload};
    in.annotate(&notes);
    fields(in);
    if (in.ok() && in.remaining() != 0) in.fail(errc::trailing_bytes, "message");
    found_.fields = notes.take();
    if (!in.ok()) fail(in.error());
  }

  // That the message is cut was known before; that it is wrong is news.
  void fail(decode_error error) {
    if (!found_.error || error.code != errc::incomplete) found_.error = std::move(error);
  }

  static void note_undecoded(bytes::reader& in) {
    if (!in.ok() || in.remaining() == 0) return;
    in.skip(in.remaining(), "data");
    in.meaning([] { return std::string{"not decoded"}; });
  }

  // What begins with ALL_HEADERS from TDS 7.2 on. Before, these four bytes are text or a procedure's name,
  // which no length in its right mind can be taken for.
  template <class Read>
  void decode_with_headers(Read&& fields) {
    const auto before = found_.error;
    const auto attempt = [&](tds_version version) {
      found_.error = before;
      found_.version = version;
      read([&](bytes::reader& in) { fields(in, version); });
      return found_.error == std::nullopt || (before && found_.error->code == before->code);
    };
    if (attempt(state_.version) || state_.version_is_certain) return;
    const auto other = state_.version >= tds_version::v7_2 ? tds_version::v7_1 : tds_version::v7_4;
    if (attempt(other)) {
      state_.version = other;
    } else {
      (void)attempt(state_.version);
    }
  }

  void decode_answer() {
    if (starts_tls_record(found_.payload)) return decode_tls("PRELOGIN response");
    // VERSION comes first in PRELOGIN, and no token is 0.
    if (!found_.payload.empty() && found_.payload.front() == 0) {
      found_.title = "PRELOGIN response";
      return read([](bytes::reader& in) { (void)protocol::read_prelogin(in); });
    }
    decode_response(found_, state_, how_);
  }

  void decode_prelogin() {
    if (starts_tls_record(found_.payload)) return decode_tls("PRELOGIN");
    read([](bytes::reader& in) { (void)protocol::read_prelogin(in); });
  }

  void decode_tls(std::string title) {
    found_.title = std::move(title) + ": TLS handshake";
    read([](bytes::reader& in) { note_tls_records(in); });
  }

  void decode_login7(bool after_tls) {
    secrets_ = secret_policy::unclaimed;
    if (after_tls) {
      // Encryption of the login only hides the first packet; what follows in clear is no message by itself.
      found_.title += ": its first packet is in the TLS record before";
      bytes::annotations notes;
      notes.bytes(0, found_.payload, "data");
      notes.secret();
      found_.fields = notes.take();
      return;
    }
    protocol::login7 login;
    read([&](bytes::reader& in) { login = protocol::read_login7(in); });
    if (!found_.error) return learn(login);
    // Where lengths and offsets are wrong, what looks like a name may be the password.
    for (auto& field : found_.fields) field.secret |= field.offset + field.size > login7_table_end;
    if (found_.fields.empty() && !found_.payload.empty()) {
      bytes::annotations notes;
      const bytes::byte_span all{found_.payload};
      notes.bytes(0, all.first(std::min(all.size(), login7_fixed_size)), "not_decoded");
      found_.fields = notes.take();
    }
  }

  void learn(const protocol::login7& login) {
    found_.version = protocol::version_from_login7(login.tds_version);
    if (!found_.version || state_.version_is_pinned) return;
    state_.version = *found_.version;
    state_.version_is_certain = true;
  }

  message& found_;
  conversation_state& state_;
  const settings& how_;
  secret_policy secrets_ = secret_policy::marked;
};

}  // namespace

void decode_payload(message& found, conversation_state& state, const settings& how, bool after_tls) {
  payload_decoder{found, state, how}.decode(after_tls);
}

}  // namespace tds::dissect
