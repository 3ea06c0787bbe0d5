// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/relay_tls.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace {

using wiregap::encryption_in;
using bytes = std::vector<std::uint8_t>;

// VERSION of six bytes and ENCRYPTION of one.
const bytes prelogin{0x12, 0x01, 0x00, 0x1A, 0,    0,    1,  0, 0x00, 0x00, 0x0B, 0x00, 0x06,
                     0x01, 0x00, 0x11, 0x00, 0x01, 0xFF, 16, 0, 0,    0,    0,    0,    2};

TEST(RelayTls, FindsTheByteOfEncryption) {
  auto packet = prelogin;
  EXPECT_EQ(encryption_in(packet), &packet[25]);
}

TEST(RelayTls, OfAPreloginWithoutItOrNotWholeThereIsNone) {
  for (std::size_t size = 0; size < prelogin.size(); ++size) {
    bytes cut(prelogin.begin(), prelogin.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(encryption_in(cut), nullptr) << size;
  }
  auto packet = prelogin;
  packet[13] = 0x04;  // MARS in its place
  EXPECT_EQ(encryption_in(packet), nullptr);
  packet = prelogin;
  packet[8] = 0xFF;  // the table ends before it
  EXPECT_EQ(encryption_in(packet), nullptr);
}

TEST(RelayTls, FilesThatAreNoneAreSaid) {
  wiregap::relay_tls_settings settings;
  settings.server.ca_file = "/nonexistent/roots.pem";
  EXPECT_THROW(wiregap::relay_tls{settings}, std::invalid_argument);
  settings = {"no certificate", "no key", {}};
  EXPECT_THROW(wiregap::relay_tls{settings}, std::invalid_argument);
}

}  // namespace
