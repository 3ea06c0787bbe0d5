// SPDX-License-Identifier: BSL-1.0
#include <tds/dissect/decode_response.hpp>
#include <tds/protocol/feature_ext.hpp>
#include <tds/protocol/tokens/token_stream.hpp>

#include <array>
#include <string>
#include <utility>
#include <variant>

namespace tds::dissect {
namespace {

using protocol::tds_version;
using protocol::token_stream;

// One version of each shape that tokens had.
constexpr std::array shapes{tds_version::v7_4, tds_version::v7_1, tds_version::v7_0};

// The response as one version would have it.
struct reading {
  conversation_state after{};
  std::vector<bytes::annotation> fields{};
  std::optional<decode_error> error{};
};

void learn(const protocol::token& t, conversation_state& state, token_stream& stream) {
  if (const auto* ack = std::get_if<protocol::loginack>(&t)) {
    const auto version = protocol::version_from_loginack(ack->tds_version);
    if (!version || state.version_is_pinned) return;
    state.version = *version;
    state.version_is_certain = true;
    stream.set_version(*version);
  } else if (const auto* features = std::get_if<protocol::featureextack>(&t)) {
    const auto version_of = [features](protocol::feature_id id) {
      const auto data = features->find(static_cast<std::uint8_t>(id));
      return data && !data->empty() ? data->front() : std::uint8_t{0};
    };
    if (const auto version = version_of(protocol::feature_id::dataclassification); version != 0) {
      state.data_classification = version;
      stream.set_dataclassification(version);
    }
    if (version_of(protocol::feature_id::columnencryption) != 0) {
      state.column_encryption = true;
      stream.set_column_encryption(true);
    }
  }
}

reading read_as(tds_version version, const message& found, const conversation_state& before,
                const settings& how) {
  reading result{before, {}, {}};
  result.after.version = version;
  bytes::annotations notes;
  token_stream stream{version};
  stream.set_dataclassification(before.data_classification);
  stream.set_column_encryption(before.column_encryption);
  stream.annotate(&notes);
  stream.feed(found.payload);
  stream.end_message();
  protocol::token t;
  for (;;) {
    const auto state = stream.next(t);
    if (state == token_stream::state::error) result.error = stream.error();
    if (state != token_stream::state::token) break;
    learn(t, result.after, stream);
    if (notes.items().size() > how.max_fields) {
      result.error = decode_error{errc::limit_exceeded, stream.last_offset() + stream.last_bytes().size(),
                                  "token", "more than " + std::to_string(how.max_fields) + " fields"};
      break;
    }
  }
  result.fields = notes.take();
  return result;
}

// A message that is not whole always ends with an error.
bool good(const reading& attempt, const message& found) {
  return !attempt.error || (found.error && attempt.error->code == errc::incomplete) ||
         attempt.error->code == errc::limit_exceeded;
}

}  // namespace

void decode_response(message& found, conversation_state& state, const settings& how) {
  reading best = read_as(state.version, found, state, how);
  found.version = state.version;
  if (!good(best, found) && !state.version_is_certain) {
    for (const tds_version version : shapes) {
      if (version == state.version) continue;
      reading other = read_as(version, found, state, how);
      if (!good(other, found)) continue;
      best = std::move(other);
      found.version = version;
      break;
    }
  }
  // A guess that failed teaches nothing.
  if (good(best, found)) state = best.after;
  found.fields = std::move(best.fields);
  if (best.error && (!found.error || best.error->code != errc::incomplete))
    found.error = std::move(best.error);
}

}  // namespace tds::dissect
