// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/other_services.hpp>

#include <gtest/gtest.h>

namespace {

using tds::protocol::recognize_other_service;

std::string_view of(std::string_view text) {
  return recognize_other_service({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TEST(other_services, are_recognized_by_their_first_bytes) {
  EXPECT_EQ(of("HTTP/1.1 400 Bad Request\r\n"), "a web server");
  EXPECT_EQ(of("SSH-2.0-OpenSSH_9.2p1\r\n"), "an SSH server");
  EXPECT_EQ(of("N"), "PostgreSQL");
  EXPECT_EQ(of({"E\0\0\0\x2eSFATAL\0C0A000\0", 18}), "PostgreSQL");
  EXPECT_EQ(of("EFATAL:  unsupported frontend protocol"), "PostgreSQL");
  EXPECT_EQ(of({"\x4a\0\0\0\x0a"
                "8.0.36\0",
                12}),
            "MySQL");
}

TEST(other_services, nothing_else_is) {
  for (const std::string_view text : {"", "H", "NO", "E", "\x04\x01", "220 mail.example.com ESMTP"}) {
    EXPECT_EQ(of(text), "") << text;
  }
  EXPECT_EQ(of({"\x04\x01\x00\x2b\x00\x00\x01\x00", 8}), "");
}

}  // namespace
