// SPDX-License-Identifier: BSL-1.0
#include <tests/support/tls_peers.hpp>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <random>
#include <stdexcept>

namespace wiregap_test::tls {

namespace {

identity must(tds::result<identity> made) {
  if (!made) throw std::runtime_error("no certificate: " + made.error().message());
  return *made;
}

// One end: what it has received and not yet taken, and how it stands.
struct end {
  engine& tls;
  prelogin_wrapper wrapper;
  bool wrapped;
  buffer inbox{};
  bool done{};
  error_code error{};
  bool settled() const { return done || error.failed(); }

  // Takes up to `chunk` bytes of the inbox, in a buffer of exactly that size. Returns how many.
  std::size_t step(std::size_t chunk, buffer& out) {
    const std::size_t take = std::min(chunk, inbox.size());
    const buffer piece(inbox.begin(), inbox.begin() + static_cast<std::ptrdiff_t>(take));
    const auto went = wrapped ? wrapper.handshake(tls, piece, out) : tls.handshake(piece, out);
    if (!went) {
      error = went.error();
      inbox.clear();
      return take;
    }
    done = went->state == handshake_state::done;
    inbox.erase(inbox.begin(), inbox.begin() + static_cast<std::ptrdiff_t>(went->consumed));
    return went->consumed;
  }
  std::string details() const { return wrapper.details().empty() ? tls.details() : wrapper.details(); }
};

}  // namespace

temporary_file::temporary_file(std::string_view content) {
  static std::atomic<unsigned> count{};
  std::random_device random;
  path_ = std::filesystem::temp_directory_path() /
          ("wiregap_tls_" + std::to_string(random()) + "_" + std::to_string(count++));
  std::ofstream{path_, std::ios::binary} << content;
}

temporary_file::~temporary_file() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

const identity& test_root() {
  static const identity root = [] {
    certificate_request request;
    request.common_name = "Test Root";
    request.authority = true;
    return must(make_self_signed(request));
  }();
  return root;
}

const identity& test_leaf() {
  static const identity leaf = [] {
    certificate_request request;
    request.common_name = "sql.example.com";
    request.subject_alt_names = {"sql.example.com", "*.db.example.com", "192.0.2.7", "2001:db8::7"};
    return must(make_issued(request, test_root()));
  }();
  return leaf;
}

server_options serving(const identity& who, bool strict) {
  server_options options;
  options.certificate_pem = who.certificate_pem;
  options.private_key_pem = who.private_key_pem;
  options.strict = strict;
  return options;
}

client_options trusting_root(bool strict) {
  static const temporary_file root{test_root().certificate_pem};
  client_options options;
  options.host = "sql.example.com";
  options.ca_file = root.path();
  options.strict = strict;
  return options;
}

outcome shake_hands(engine& client, engine& server, const route& how) {
  end a{client, prelogin_wrapper{how.packet_size}, how.wrapped};
  end b{server, prelogin_wrapper{how.packet_size, how.as_table_response}, how.wrapped};
  a.step(0, b.inbox);
  bool moved = true;
  while (moved && !(a.settled() && b.settled())) {
    moved = false;
    while (!b.settled() && !b.inbox.empty()) moved |= b.step(how.chunk, a.inbox) > 0;
    while (!a.settled() && !a.inbox.empty()) moved |= a.step(how.chunk, b.inbox) > 0;
  }
  // An end that waits for a peer that has given up is cut off, not stuck.
  const bool stuck = !(a.settled() || b.error.failed()) || !(b.settled() || a.error.failed());
  if (stuck) throw std::runtime_error("the handshake is stuck");
  return {a.error, b.error, a.details(), b.details()};
}

namespace {

pair engines_of(const client_context& client_side, const server_context& server_side) {
  auto a = engine::client(client_side);
  auto b = engine::server(server_side);
  if (!a || !b) throw std::runtime_error("no engine");
  return {client_side, server_side, std::move(*a), std::move(*b)};
}

pair through_handshake(pair both, const route& how) {
  const auto end = shake_hands(both.client, both.server, how);
  if (end.client || end.server) {
    throw std::runtime_error("no handshake: " + end.client_details + " / " + end.server_details);
  }
  return both;
}

}  // namespace

pair make_pair(const client_options& client, const server_options& server) {
  std::string details;
  auto client_side = client_context::create(client, &details);
  if (!client_side) throw std::runtime_error("client: " + details);
  auto server_side = server_context::create(server, &details);
  if (!server_side) throw std::runtime_error("server: " + details);
  return engines_of(*client_side, *server_side);
}

pair make_pair(bool strict) {
  // Loading the system's roots takes long enough to matter in a loop.
  static const pair usual[] = {make_pair(trusting_root(false), serving(test_leaf(), false)),
                               make_pair(trusting_root(true), serving(test_leaf(), true))};
  const auto& contexts = usual[strict ? 1 : 0];
  return engines_of(contexts.client_side, contexts.server_side);
}

pair connected(const client_options& client, const server_options& server, const route& how) {
  return through_handshake(make_pair(client, server), how);
}

pair connected(bool strict, const route& how) { return through_handshake(make_pair(strict), how); }

std::vector<std::size_t> record_sizes(byte_span wire, std::size_t overhead) {
  std::vector<std::size_t> sizes;
  while (wire.size() >= 5) {
    const std::size_t length = std::size_t{wire[3]} << 8 | wire[4];
    if (wire[0] != 0x17 || wire.size() < 5 + length || length < overhead) {
      throw std::runtime_error("not a whole record of application data");
    }
    sizes.push_back(length - overhead);
    wire = wire.subspan(5 + length);
  }
  if (!wire.empty()) throw std::runtime_error("the wire ends inside a record");
  return sizes;
}

buffer pattern(std::size_t size) {
  buffer bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  return bytes;
}

}  // namespace wiregap_test::tls
