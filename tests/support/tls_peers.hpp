// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/tls/engine.hpp>
#include <tds/tls/prelogin_wrapper.hpp>
#include <tds/tls/self_signed.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Two ends of a TLS connection in memory, and the certificates they need.
namespace wiregap_test::tls {

using namespace tds::tls;
using tds::errc;
using tds::error_code;
using tds::bytes::buffer;
using tds::bytes::byte_span;

/// A file below the system's folder for temporary files that goes away with the object.
class temporary_file {
 public:
  explicit temporary_file(std::string_view content);
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file();
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// A root, made once per program.
const identity& test_root();
/// A certificate of test_root() for sql.example.com, *.db.example.com and 192.0.2.7.
const identity& test_leaf();

server_options serving(const identity& who, bool strict);
/// A client of sql.example.com that trusts test_root().
client_options trusting_root(bool strict);

/// Where both ends of a connection ended up.
struct outcome {
  error_code client{};
  error_code server{};
  std::string client_details{};
  std::string server_details{};
};

/// How bytes travel between the ends.
struct route {
  bool wrapped{false};            ///< inside PRELOGIN packets
  std::size_t chunk{SIZE_MAX};    ///< bytes given to an engine at once
  std::size_t packet_size{4096};  ///< of wrapped packets
  bool as_table_response{false};  ///< how a wrapping server answers
};

/// Runs a handshake until both are done or one fails. Throws std::runtime_error when neither moves.
outcome shake_hands(engine& client, engine& server, const route& how = {});

/// Two engines with the contexts they were made from.
struct pair {
  client_context client_side;
  server_context server_side;
  engine client;
  engine server;
};
/// A pair before its handshake. Throws std::runtime_error with the details when the options do not hold.
pair make_pair(const client_options& client, const server_options& server);
/// The usual one: sql.example.com and a client that trusts test_root().
pair make_pair(bool strict);

/// The same after a handshake that succeeded, else std::runtime_error with the details.
pair connected(const client_options& client, const server_options& server, const route& how = {});
pair connected(bool strict, const route& how = {});

/// Plaintext sizes of the records in `wire` by their headers alone, for AES-GCM: what each adds is constant.
std::vector<std::size_t> record_sizes(byte_span wire, std::size_t overhead);

/// `size` bytes that differ from their neighbours.
buffer pattern(std::size_t size);

}  // namespace wiregap_test::tls
