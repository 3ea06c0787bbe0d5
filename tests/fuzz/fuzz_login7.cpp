// SPDX-License-Identifier: BSL-1.0
// Property: what can be read can be written and read again the same, in its own layout and in the usual one;
// annotations change nothing and show no password that is not marked as a secret.
#include <tds/protocol/feature_data.hpp>
#include <tds/protocol/login7.hpp>
#include <tests/fuzz/property.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

using fuzz::require;
using namespace tds::protocol;
namespace bytes = tds::bytes;

namespace {

login7 read_again(const bytes::buffer& raw) {
  bytes::reader in{raw};
  auto message = read_login7(in);
  require(in.ok() && in.remaining() == 0, "what was written can be read");
  return message;
}

// StateId 0xFF is reserved: it is read as any other and never written (MS-TDS 2.2.7.21).
bool has_reserved_state(const session_recovery_feature& recovery) {
  const auto among = [](const std::optional<session_recovery_data>& data) {
    return data && std::ranges::any_of(data->states, [](const auto& state) { return state.id == 0xFF; });
  };
  return among(recovery.initial) || among(recovery.to_be);
}

void check_features(const feature_list& features) {
  for (const auto& each : features) {
    bytes::reader in{each.data};
    if (each.id == feature_id::fedauth) {
      const auto fedauth = read_fedauth_feature(in);
      if (in.ok() && in.remaining() == 0) require(make_feature(fedauth) == each, "FEDAUTH survives");
    } else if (each.id == feature_id::sessionrecovery) {
      const auto recovery = read_session_recovery_feature(in);
      if (in.ok() && in.remaining() == 0 && !has_reserved_state(recovery)) {
        require(make_feature(recovery).has_value(), "SESSIONRECOVERY fits");
      }
    }
  }
}

void check_annotations(bytes::byte_span input, const login7& message, bytes::read_state state) {
  bytes::annotations notes;
  bytes::reader in{input};
  in.annotate(&notes);
  require(read_login7(in) == message && in.state() == state, "annotations change nothing");
  for (const auto& item : notes.items()) {
    const bool hidden = item.field == "password" || item.field == "change_password" || item.field == "sspi" ||
                        item.field == "fed_auth_token";
    // The length of a counted token goes by the token's name.
    if (hidden && !item.secret)
      require(item.field == "fed_auth_token" && item.size == 4, "secrets are marked");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const bytes::byte_span input{data, size};
  bytes::reader in{input};
  auto message = read_login7(in);
  check_annotations(input, message, in.state());
  if (!in.ok()) return 0;
  check_features(message.features);

  bytes::buffer out;
  if (write_login7(out, message)) return 0;  // longer than MS-TDS allows, which a reader takes
  require(out.size() == size - in.remaining(), "a message keeps its length");
  require(read_again(out) == message, "what was written holds the same");

  message.layout.reset();
  sort_features(message.features);
  out.clear();
  if (write_login7(out, message)) return 0;
  auto second = read_again(out);
  second.layout.reset();
  require(second == message, "the usual layout holds the same");
  return 0;
}
