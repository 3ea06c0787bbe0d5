// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/answer_reader.hpp>
#include <tds/protocol/feature_ext.hpp>
#include <tds/protocol/tokens/done.hpp>

#include <variant>

namespace tds::capture::detail {
namespace {

using protocol::done_status;
using protocol::tds_version;
using protocol::token_stream;
using protocol::token_type;

// One version of each shape that tokens had.
constexpr std::array shapes{tds_version::v7_4, tds_version::v7_1, tds_version::v7_0};

std::uint8_t version_of(const protocol::featureextack& features, protocol::feature_id id) {
  const auto data = features.find(static_cast<std::uint8_t>(id));
  return data && !data->empty() ? data->front() : std::uint8_t{0};
}

void learn(const protocol::token& t, token_stream& stream, dialect& of) {
  if (const auto* ack = std::get_if<protocol::loginack>(&t)) {
    const auto version = protocol::version_from_loginack(ack->tds_version);
    if (!version) return;
    of.version = *version;
    of.is_known = true;
    stream.set_version(*version);
  } else if (const auto* features = std::get_if<protocol::featureextack>(&t)) {
    of.classification = version_of(*features, protocol::feature_id::dataclassification);
    of.column_encryption = version_of(*features, protocol::feature_id::columnencryption) != 0;
    stream.set_dataclassification(of.classification);
    stream.set_column_encryption(of.column_encryption);
  }
}

void note(const protocol::token& t, answer_facts& facts) {
  if (const auto* end = std::get_if<protocol::done>(&t)) {
    if (end->status.has(done_status::count)) facts.rows = end->row_count;
    facts.attention = facts.attention || end->status.has(done_status::attn);
  } else if (const auto* message = std::get_if<protocol::message_token>(&t)) {
    if (message->is_error() && facts.error == 0) facts.error = static_cast<std::uint32_t>(message->number);
  }
}

}  // namespace

answer_facts answer_reader::read(bytes::byte_span payload, bool whole, dialect& of) {
  if (auto facts = read_as(of.version, payload, whole, of)) return *facts;
  if (!of.is_known) {
    for (const auto version : shapes) {
      if (version == of.version) continue;
      auto facts = read_as(version, payload, whole, of);
      if (!facts) continue;
      // Nothing but its shapes says so; they are those of this and all that follows.
      if (!of.is_known) of.version = version;
      return *facts;
    }
  }
  return {.unreadable = true};
}

std::optional<answer_facts> answer_reader::read_as(tds_version version, bytes::byte_span payload, bool whole,
                                                   dialect& of) {
  auto& kept = streams_.at(static_cast<std::size_t>(version));
  if (!kept) kept = std::make_unique<token_stream>(version);
  auto& stream = *kept;
  dialect after = of;
  stream.begin_message();
  stream.set_version(version);
  stream.set_dataclassification(of.classification);
  stream.set_column_encryption(of.column_encryption);
  stream.feed(payload);
  if (whole) stream.end_message();
  answer_facts facts;
  for (;;) {
    const auto state = stream.next(token_);
    if (state == token_stream::state::error) return std::nullopt;
    if (state == token_stream::state::need_more) break;
    note(token_, facts);
    learn(token_, stream, after);
  }
  of = after;
  return facts;
}

bool ends_with_attention(bytes::byte_span tail, tds_version version) {
  const std::size_t size = version >= tds_version::v7_2 ? 13 : 9;
  if (tail.size() < size) return false;
  bytes::reader in{tail.last(size)};
  const auto type = static_cast<token_type>(in.u8("type"));
  if (type != token_type::done && type != token_type::doneproc) return false;
  return protocol::read_done(in, type, version).status.has(done_status::attn);
}

}  // namespace tds::capture::detail
