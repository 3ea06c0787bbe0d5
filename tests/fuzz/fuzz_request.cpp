// SPDX-License-Identifier: BSL-1.0
// Property: a batch or a token message that can be read can be written, and reading and writing that once
// more changes nothing. The first byte chooses the message and the version.
#include <tds/protocol/auth_messages.hpp>
#include <tds/protocol/sql_batch.hpp>
#include <tests/fuzz/property.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

using fuzz::require;
using namespace tds::protocol;
namespace bytes = tds::bytes;

namespace {

bytes::buffer rewrite_batch(bytes::byte_span input, tds_version version, bytes::read_state& state) {
  bytes::buffer out;
  bytes::reader in{input};
  const auto batch = read_sql_batch(in, version);
  state = in.state();
  if (!in.ok()) return out;
  require(in.remaining() == 0, "the text takes the rest");
  bytes::writer to{out};
  require(write_sql_batch(to, version, batch.headers, batch.sql_text), "what was read fits");
  return out;
}

void check_batch(bytes::byte_span input, tds_version version) {
  bytes::read_state state{};
  const auto once = rewrite_batch(input, version, state);
  if (state != bytes::read_state::good) return;
  require(once.size() == input.size(), "a batch keeps its length");
  require(rewrite_batch(once, version, state) == once, "writing is final");
  require(state == bytes::read_state::good, "what was written can be read");
}

void check_token(bytes::byte_span input) {
  bytes::reader in{input};
  const auto message = read_federated_auth_token(in);
  if (!in.ok()) return;
  bytes::buffer out;
  bytes::writer to{out};
  write_federated_auth_token(to, message);
  require(std::ranges::equal(out, input.first(in.position())), "a token message comes out as it came in");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bytes::byte_span input{data + 1, size - 1};
  switch (data[0] % 3) {
    case 0:
      check_batch(input, tds_version::v7_4);
      break;
    case 1:
      check_batch(input, tds_version::v7_1);
      break;
    default:
      check_token(input);
      break;
  }
  return 0;
}
