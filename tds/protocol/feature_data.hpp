// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/auth_messages.hpp>
#include <tds/protocol/feature_ext.hpp>
#include <tds/protocol/tokens/loginack.hpp>
#include <tds/protocol/types/collation.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tds::protocol {

/// A feature whose data are one byte: the version or the flag that UTF8_SUPPORT, AZURESQLSUPPORT,
/// COLUMNENCRYPTION, DATACLASSIFICATION, JSONSUPPORT and VECTORSUPPORT carry.
feature make_feature(feature_id id, std::uint8_t value);
/// A feature without data: GLOBALTRANSACTIONS, AZURESQLDNSCACHING, ENHANCEDROUTINGSUPPORT, and
/// SESSIONRECOVERY on a first connection.
feature make_feature(feature_id id);
/// The one byte of such a feature; nothing if its data are of another size.
std::optional<std::uint8_t> feature_value(const feature& asked) noexcept;

/// bFedAuthLibrary.
enum class fedauth_library : std::uint8_t {
  live_id_compact_token = 0x00,
  security_token = 0x01,  ///< the token is at hand and lies in LOGIN7
  adal = 0x02,            ///< the server says in FEDAUTHINFO whom to ask for a token
  reserved = 0x7F,
};
std::string_view name_of(fedauth_library library) noexcept;

/// Workflow of fedauth_library::adal; other values exist in practice and are kept.
enum class fedauth_workflow : std::uint8_t { username_password = 0x01, integrated = 0x02 };
std::string_view name_of(fedauth_workflow workflow) noexcept;

/// FeatureData of FEDAUTH, in the shape of each library:
/// - live_id_compact_token: token, nonce, channel_binding_token (may be empty), signature
/// - security_token: token, and the nonce if the server's PRELOGIN had one
/// - adal: workflow
/// - others: `raw`, everything behind the options
/// Byte strings are views.
struct fedauth_feature {
  fedauth_library library{};
  bool echo{};  ///< fFedAuthEcho: the server's PRELOGIN said FEDAUTHREQUIRED 1
  bytes::byte_span token{};
  std::optional<protocol::nonce> nonce{};
  bytes::byte_span channel_binding_token{};
  std::optional<std::array<std::uint8_t, 32>> signature{};
  fedauth_workflow workflow{};
  bytes::byte_span raw{};
};

/// Reads the data of a FEDAUTH feature to the reader's end.
fedauth_feature read_fedauth_feature(bytes::reader& in);
/// Absent parts that the library's shape demands are written as zeros.
feature make_feature(const fedauth_feature& fedauth);

/// SessionRecoveryData: the state of a session, at its start or as it has become. Views.
struct session_recovery_data {
  bytes::ucs2_view database{};
  std::optional<protocol::collation> collation{};
  bytes::ucs2_view language{};
  std::vector<session_state_item> states{};
};

/// FeatureData of SESSIONRECOVERY: both absent on a first connection, both there on one that recovers
/// another.
struct session_recovery_feature {
  std::optional<session_recovery_data> initial{};
  std::optional<session_recovery_data> to_be{};
};

/// Reads the data of a SESSIONRECOVERY feature to the reader's end. Fails with bad_length for parts that
/// contradict the lengths around them, limit_exceeded for a name of more than 128 characters.
session_recovery_feature read_session_recovery_feature(bytes::reader& in);
/// Nothing if a name is longer than 128 characters.
std::optional<feature> make_feature(const session_recovery_feature& recovery);

/// Reads the data of any feature known here for its annotations, marking what is secret; unknown data become
/// one annotation.
void annotate_feature(bytes::reader& in, feature_id id);

}  // namespace tds::protocol
