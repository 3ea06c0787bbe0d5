// SPDX-License-Identifier: BSL-1.0
// Our engine against a server that does what ours never does: key updates, renegotiation, small records.
#include <tds/tls/detail/openssl.hpp>
#include <tests/support/tls_peers.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace wiregap_test::tls {
namespace {

namespace detail = tds::tls::detail;

/// A TLS server by OpenSSL alone, over its own memory BIOs.
class foreign_server {
 public:
  explicit foreign_server(int version) : ctx_(SSL_CTX_new(TLS_server_method())) {
    const auto certificate = detail::read_certificate(test_leaf().certificate_pem);
    const auto key = detail::read_private_key(test_leaf().private_key_pem);
    SSL_CTX_use_certificate(ctx_.get(), certificate.get());
    SSL_CTX_use_PrivateKey(ctx_.get(), key.get());
    SSL_CTX_set_min_proto_version(ctx_.get(), version);
    SSL_CTX_set_max_proto_version(ctx_.get(), version);
    ssl_.reset(SSL_new(ctx_.get()));
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_accept_state(ssl_.get());
  }

  SSL* ssl() const { return ssl_.get(); }

  void give(const buffer& bytes) {
    BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
  }
  buffer take() {
    BIO* out = SSL_get_wbio(ssl_.get());
    buffer bytes(BIO_ctrl_pending(out));
    BIO_read(out, bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }
  buffer read() {
    buffer text(max_record_plaintext);
    std::size_t got = 0;
    SSL_read_ex(ssl_.get(), text.data(), text.size(), &got);
    text.resize(got);
    return text;
  }
  void write(const buffer& text) {
    std::size_t put = 0;
    ASSERT_EQ(SSL_write_ex(ssl_.get(), text.data(), text.size(), &put), 1);
  }

 private:
  detail::ssl_ctx_ptr ctx_;
  detail::ssl_ptr ssl_;
};

engine client_of(foreign_server& server, bool strict) {
  auto client = engine::client(make_pair(strict).client_side).value();
  buffer input;
  for (int round = 0; round < 4; ++round) {
    buffer output;
    const auto went = client.handshake(input, output);
    if (!went) throw std::runtime_error(client.details());
    server.give(output);
    SSL_do_handshake(server.ssl());
    input = server.take();
    if (went->state != handshake_state::done) continue;
    buffer nothing;
    (void)client.decrypt(input, nothing).value();  // TLS 1.3's tickets
    return client;
  }
  throw std::runtime_error("no handshake");
}

TEST(tls_foreign_peer, key_update_is_answered_before_the_next_packet) {
  foreign_server server{TLS1_3_VERSION};
  auto client = client_of(server, true);
  ASSERT_EQ(SSL_key_update(server.ssl(), SSL_KEY_UPDATE_REQUESTED), 1);
  server.write(pattern(30));
  buffer plain;
  ASSERT_TRUE(client.decrypt(server.take(), plain)) << client.details();
  EXPECT_EQ(plain, pattern(30));
  buffer wire;
  ASSERT_TRUE(client.encrypt(pattern(40), wire));
  EXPECT_EQ(record_sizes(wire, 0).size(), 2U) << "the reply to the key update, then the packet";
  server.give(wire);
  EXPECT_EQ(server.read(), pattern(40));
  wire.clear();
  ASSERT_TRUE(client.encrypt(pattern(50), wire));
  EXPECT_EQ(record_sizes(wire, 0).size(), 1U);
  server.give(wire);
  EXPECT_EQ(server.read(), pattern(50));
}

TEST(tls_foreign_peer, renegotiation_is_declined) {
  foreign_server server{TLS1_2_VERSION};
  auto client = client_of(server, false);
  ASSERT_EQ(SSL_renegotiate(server.ssl()), 1);
  SSL_do_handshake(server.ssl());
  buffer plain;
  const auto request = server.take();
  ASSERT_FALSE(request.empty());
  ASSERT_TRUE(client.decrypt(request, plain)) << client.details();
  EXPECT_TRUE(plain.empty());
  buffer owed;
  client.take_pending(owed);
  ASSERT_FALSE(owed.empty());
  EXPECT_EQ(owed[0], 0x15) << "an alert";
  EXPECT_TRUE(client.is_open());
}

TEST(tls_foreign_peer, may_put_a_packet_into_many_records) {
  foreign_server server{TLS1_2_VERSION};
  auto client = client_of(server, false);
  SSL_set_max_send_fragment(server.ssl(), 512);
  server.write(pattern(4096));
  buffer plain;
  ASSERT_TRUE(client.decrypt(server.take(), plain));
  EXPECT_EQ(plain, pattern(4096));
}

}  // namespace
}  // namespace wiregap_test::tls
