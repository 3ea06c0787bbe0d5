// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/secret.hpp>
#include <tds/channel/channel.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace tds {
namespace {

// A read buffer starts small, since most connections idle or exchange little, and doubles whenever a read
// fills it.
constexpr std::size_t first_read_size = 8 * 1024;
constexpr std::size_t largest_read_size = 256 * 1024;

}  // namespace

channel::channel(wire::net::tcp_stream stream) : stream_(std::move(stream)), raw_(first_read_size) {}

io_progress channel::fail(error_code ec) {
  error_ = ec;
  return io_progress::failed;
}

io_progress channel::fail_tls(error_code ec, const std::string& wrapper_details) {
  details_ = !wrapper_details.empty() ? wrapper_details : tls_->details();
  return fail(ec);
}

void channel::start_tls(tls::engine engine, tls_role role, bool wrapped) {
  tls_.emplace(std::move(engine));
  wrapper_.reset();
  if (wrapped) wrapper_.emplace();
  established_ = handshake_finishing_ = false;
  first_flight_ = role == tls_role::client;
  cipher_.clear();
  out_ = {};
  sent_ = 0;
}

// One step of the handshake over `input`, which may be empty for the side that begins.
static result<tls::handshake_progress> advance(tls::engine& engine,
                                               std::optional<tls::prelogin_wrapper>& wrapper,
                                               bytes::byte_span input, bytes::buffer& output) {
  return wrapper ? wrapper->handshake(engine, input, output) : engine.handshake(input, output);
}

io_progress channel::handshake() {
  bytes::byte_span input{};
  for (;;) {
    if (!flushed()) {
      const auto progress = flush();
      if (progress != io_progress::done) return progress;
    }
    if (handshake_finishing_) {
      handshake_finishing_ = false;
      established_ = true;
      return io_progress::done;
    }
    if (!first_flight_) {
      const auto progress = handshake_read();
      if (progress != io_progress::done) return progress;
      input = received_;
    }
    first_flight_ = false;
    cipher_.clear();
    const auto step = advance(*tls_, wrapper_, input, cipher_);
    out_ = cipher_;
    sent_ = 0;
    if (!step) {
      (void)flush();  // an alert that tells the peer why
      return fail_tls(step.error(), wrapper_ ? wrapper_->details() : std::string{});
    }
    if (step->state == tls::handshake_state::done) {
      const auto rest = input.subspan(std::min(step->consumed, input.size()));
      leftover_.assign(rest.begin(), rest.end());
      handshake_finishing_ = true;
    }
  }
}

io_progress channel::handshake_read() {
  std::size_t count = 0;
  io_progress stopped{};
  if (!read_raw(count, stopped)) {
    if (stopped == io_progress::failed) details_ = "the peer ended the connection during the TLS handshake";
    return stopped;
  }
  received_ = bytes::byte_span{raw_}.first(count);
  return io_progress::done;
}

bool channel::read_raw(std::size_t& count, io_progress& stopped) {
  const auto got = stream_.try_read(std::span{raw_}.first(std::min(raw_.size(), next_read_)));
  if (got.ec) {
    stopped = got.would_block() ? io_progress::want_read : fail(got.ec);
    return false;
  }
  count = got.bytes;
  next_read_ = SIZE_MAX;
  if (!first_arrived_) first_arrived_ = got.arrived;
  last_arrived_ = got.arrived;
  total_received_ += got.bytes;
  return true;
}

void channel::encrypt(bytes::byte_span packet) {
  if (const auto done = tls_->encrypt(packet, cipher_); !done) (void)fail_tls(done.error(), {});
}

void channel::queue(const protocol::packet_run& packets, tls_scope scope) {
  sent_ = 0;
  if (!tls_active()) {
    out_ = bytes::byte_span{packets.data}.first(packets.finished_size());
    return;
  }
  cipher_.clear();
  for (std::size_t i = 0; i < packets.count() && !error_; ++i) {
    if (scope == tls_scope::first_only && i > 0) {
      const auto clear = packets.packet(i);
      cipher_.insert(cipher_.end(), clear.begin(), clear.end());
    } else {
      encrypt(packets.packet(i));
    }
  }
  if (scope == tls_scope::first_only) established_ = false;
  out_ = cipher_;
}

void channel::queue_raw(bytes::byte_span raw) {
  sent_ = 0;
  if (!tls_active()) {
    out_ = raw;
    return;
  }
  cipher_.clear();
  while (!raw.empty() && !error_) {
    const auto piece = raw.first(std::min(raw.size(), tls::max_record_plaintext));
    encrypt(piece);
    raw = raw.subspan(piece.size());
  }
  out_ = cipher_;
}

io_progress channel::flush() {
  if (error_) return io_progress::failed;
  while (sent_ < out_.size()) {
    const auto wrote = stream_.try_write(out_.subspan(sent_));
    if (wrote.ec) return wrote.would_block() ? io_progress::want_write : fail(wrote.ec);
    sent_ += wrote.bytes;
    total_sent_ += wrote.bytes;
  }
  return io_progress::done;
}

io_progress channel::try_read() {
  // What was received last is no longer needed: now the buffer may move.
  if (filled_ && raw_.size() < largest_read_size) raw_.resize(2 * raw_.size());
  filled_ = false;
  for (;;) {
    io_progress progress{};
    if (!leftover_.empty()) {
      carried_.swap(leftover_);
      leftover_.clear();
      progress = decrypt(carried_);
    } else {
      std::size_t count = 0;
      if (!read_raw(count, progress)) return progress;
      filled_ = count == raw_.size();
      progress = decrypt(bytes::byte_span{raw_}.first(count));
    }
    if (progress != io_progress::want_read) return progress;
  }
}

void channel::wipe_received(std::size_t kept) noexcept {
  const auto used = received_.size() - std::min(kept, received_.size());
  // It lies in one of these; what one of them held before may be longer than what was received.
  for (auto* memory : {&raw_, &carried_, &plain_}) {
    if (!memory->empty() && received_.data() == memory->data()) wipe_memory(memory->data(), used);
  }
}

// done: received_ holds something; want_read: the bytes complete no record yet.
io_progress channel::decrypt(bytes::byte_span raw) {
  if (!tls_active()) {
    received_ = raw;
    return io_progress::done;
  }
  plain_.clear();
  if (drop_after_record_) {
    const auto record = tls_->decrypt_record(raw, plain_);
    if (!record) return fail_tls(record.error(), {});
    if (plain_.empty()) return io_progress::want_read;
    const auto rest = raw.subspan(record->consumed);
    leftover_.assign(rest.begin(), rest.end());
    established_ = drop_after_record_ = false;
  } else {
    const auto state = tls_->decrypt(raw, plain_);
    if (!state) return fail_tls(state.error(), {});
    if (plain_.empty()) {
      return *state == tls::stream_state::closed ? fail(boost::asio::error::eof) : io_progress::want_read;
    }
  }
  received_ = plain_;
  return io_progress::done;
}

void channel::close() noexcept {
  if (!stream_.is_open()) return;
  try {
    if (tls_active() && !error_ && flushed()) {
      cipher_.clear();
      if (tls_->close_notify(cipher_)) (void)stream_.try_write(cipher_);
    }
  } catch (const std::exception&) {
    // The good-bye is a courtesy; the socket closes all the same.
  }
  stream_.close();
}

}  // namespace tds
