// SPDX-License-Identifier: BSL-1.0
// What packets and records mean for the exchanges of a session.
#include <tds/capture/detail/conversation.hpp>
#include <tds/capture/statement.hpp>
#include <tds/dissect/tls_records.hpp>

#include <algorithm>
#include <utility>

namespace tds::capture::detail {
namespace {

using dissect::sender;
using protocol::packet_type;
using protocol::tls_content;

/// Of an answer so much is read; most are shorter.
constexpr std::size_t most_of_answer = 64U << 10U;
/// A DONE of the longest form.
constexpr std::size_t longest_done = 13;
/// What a message leaves behind for the next one.
constexpr std::size_t most_kept_idle = 1024;

// An Attention is a packet without payload: eight bytes, and what ciphers add to them (TLS 1.3 17, AES-GCM of
// TLS 1.2 24, ChaCha20 16). No other message of a client is as short.
constexpr std::size_t longest_attention = 32;

bool is_prelogin_answer(bytes::byte_span payload) noexcept { return payload.empty() || payload.front() == 0; }

}  // namespace

void conversation::begin_message(sender from, const protocol::packet_header& header) {
  auto& of = at(from);
  of.seen = true;
  of.in_message = true;
  of.hole = std::exchange(of.resumed, false) && header.packet_id > 1;
  of.aside = false;
  of.payload = 0;
  if (from == sender::client) {
    begin_client_message(of, header);
  } else if (!line_.answer_has_begun()) {
    line_.begin_answer(of.begin);
  }
  if (of.header_bytes != 0) add_bytes(from, std::exchange(of.header_bytes, 0), of.begin);
}

void conversation::begin_client_message(side& of, const protocol::packet_header& header) {
  of.aside = header.type == packet_type::attention;
  if (of.aside) return line_.take_back();
  const auto kind = kind_of(header.type);
  const auto* before = line_.newest();
  if (before != nullptr && !line_.answer_has_begun()) {
    // Flights of a handshake in several messages; a LOGIN7 whose first packet was encrypted.
    const bool goes_on = kind == before->kind && kind == request_kind::login;
    const bool flight = header.type == packet_type::prelogin && before->kind == request_kind::tls_handshake;
    if (goes_on || flight || of.hole) return;
  }
  begin_request(kind, of.begin);
}

void conversation::begin_request(request_kind kind, place at_first) {
  line_.begin_request(kind, at_first);
  auto* request = line_.newest();
  if (smp_session_ && request != nullptr) {
    request->under_mars = true;
    request->smp_session = *smp_session_;
  }
  line_.retire(with_.out);
}

void conversation::keep_payload(sender from, bytes::byte_span payload) {
  auto& of = at(from);
  auto most = from == sender::client ? with_.statement_bytes : most_of_answer;
  if (with_.keys != nullptr && of.joiner.header().type == packet_type::prelogin) most = most_of_answer;
  const auto first = std::min(payload.size(), most - std::min(most, of.kept.size()));
  of.kept.insert(of.kept.end(), payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(first));
  if (first == payload.size() || from == sender::client) return;
  const auto rest = payload.last(std::min(payload.size(), longest_done));
  of.tail.insert(of.tail.end(), rest.begin(), rest.end());
  if (of.tail.size() > longest_done) {
    of.tail.erase(of.tail.begin(), of.tail.end() - static_cast<std::ptrdiff_t>(longest_done));
  }
}

void conversation::add_bytes(sender from, std::uint64_t bytes, place at_piece) {
  auto& of = at(from);
  if (bytes == 0 || of.aside) return;
  if (of.how == mode::packets && !of.in_message) {
    of.header_bytes += static_cast<std::uint32_t>(bytes);
  } else if (from == sender::server) {
    line_.add_answer(bytes, at_piece);
  } else {
    line_.add_request(bytes, at_piece);
  }
}

void conversation::end_message(sender from, bytes::byte_span payload, const piece& in) {
  auto& of = at(from);
  of.in_message = false;
  if (dissect::starts_tls_record(payload)) read_wrapped(from, payload);
  const auto pushed = in.ends_segment || in.push ? std::optional{in.push} : std::nullopt;
  if (from == sender::server) {
    end_answer(of, payload, pushed);
  } else if (!std::exchange(of.aside, false)) {
    auto* request = line_.newest();
    const auto type = of.joiner.header().type;
    if (request != nullptr && type == packet_type::prelogin && dissect::starts_tls_record(payload)) {
      request->kind = request_kind::tls_handshake;
      handshake_seen_ = true;
    } else if (request != nullptr && with_.statement_bytes != 0) {
      auto text = text_of(type, payload, speaks_.version, speaks_.is_known);
      request->procedure = std::move(text.procedure);
      request->statement = std::move(text.statement);
    }
    line_.end_request(pushed);
  }
  of.kept.clear();
  of.tail.clear();
  if (of.kept.capacity() > most_kept_idle) of.kept.shrink_to_fit();
}

void conversation::end_answer(side& of, bytes::byte_span payload, std::optional<bool> pushed) {
  const auto* answering = line_.answering();
  if (answering != nullptr && answering->kind == request_kind::tls_handshake) {
    return line_.answer_is_open_ended();
  }
  answer_facts said;
  if (of.joiner.header().type == packet_type::tabular_result && !is_prelogin_answer(payload) &&
      !dissect::starts_tls_record(payload) && !of.hole) {
    const bool whole = payload.size() == of.payload;
    said = with_.reader.read(payload, whole, speaks_);
    if (said.unreadable) ++on_.decode_errors;
    if (!whole) {
      said.attention = ends_with_attention(of.tail, speaks_.version);
      said.rows.reset();
    }
    if (encrypted_login_ && on_.encryption == encryption::none) on_.encryption = encryption::login_only;
  }
  line_.end_answer(pushed, said);
}

void conversation::begin_record(sender from, tls_content type, std::size_t length) {
  auto& of = at(from);
  // A change of ciphers is no request; where nothing can be decrypted it is part of one.
  of.aside = type == tls_content::alert || (type == tls_content::change_cipher_spec && has_keys());
  if (of.aside) return;
  if (from == sender::client) {
    client_record(of, type, length);
  } else {
    server_record(of, type);
  }
}

void conversation::client_record(side& of, tls_content type, std::size_t length) {
  const bool data = type == tls_content::application_data;
  of.aside = data && length <= longest_attention && encrypted_login_ && line_.answering() != nullptr;
  if (of.aside) return line_.take_back();
  const auto* before = line_.newest();
  const bool first_data = data && !std::exchange(encrypted_login_, encrypted_login_ || data);
  const bool handshake_was_seen =
      std::exchange(handshake_seen_, handshake_seen_ || type == tls_content::handshake);
  // A request of several records goes on until its answer comes.
  if (before != nullptr && !line_.answer_has_begun() &&
      (before->kind == request_kind::encrypted || before->kind == request_kind::login ||
       before->kind == request_kind::tls_handshake)) {
    return;
  }
  auto kind = data ? request_kind::encrypted : request_kind::tls_handshake;
  if (first_data && handshake_was_seen) kind = request_kind::login;
  begin_request(kind, of.begin);
}

void conversation::server_record(const side& of, tls_content type) {
  if (type == tls_content::application_data && on_.encryption == encryption::none)
    on_.encryption = encryption::full;
  if (!line_.answer_has_begun()) line_.begin_answer(of.begin);
  line_.answer_is_open_ended();
}

}  // namespace tds::capture::detail
