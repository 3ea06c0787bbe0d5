// SPDX-License-Identifier: BSL-1.0
#include "client_fixture.hpp"
#include <tds/server/server_thread.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

// Looks through the memory of this process for copies of a password once the login is over: on the heap, also
// in what was given back, and on the stacks of the threads.
namespace {

using namespace wiregap_test;

// The test itself must hold no copy, so what it looks for is kept changed.
constexpr std::uint8_t mask = 0x55;
constexpr std::size_t password_size = 28;  // too long for a string to keep it inside itself
using masked = std::vector<std::uint8_t>;

masked masked_password() {
  masked out;
  for (std::size_t i = 0; i < password_size; ++i) {
    out.push_back(static_cast<std::uint8_t>(('A' + (i * 7) % 26) ^ mask));
  }
  return out;
}

tds::secret password() {
  std::string clear;
  clear.reserve(password_size);
  for (const auto c : masked_password()) clear.push_back(static_cast<char>(c ^ mask));
  tds::secret out{clear};
  tds::wipe(clear);
  return out;
}

/// A form in which the password may lie about, and what it is called.
struct form {
  const char* name;
  masked bytes;
};

// Any eight characters count: half a password is one too many.
std::vector<form> forms() {
  std::vector<form> out;
  const auto text = masked_password();
  for (const std::size_t start : {std::size_t{0}, password_size / 2}) {
    form utf8{"UTF-8", {}};
    form utf16{"UTF-16", {}};
    form obfuscated{"as LOGIN7 carries it", {}};
    for (std::size_t i = start; i < start + 8; ++i) {
      const auto c = static_cast<std::uint8_t>(text[i] ^ mask);
      const auto swapped = static_cast<std::uint8_t>((c << 4) | (c >> 4));
      utf8.bytes.push_back(text[i]);
      utf16.bytes.insert(utf16.bytes.end(), {text[i], mask});
      obfuscated.bytes.insert(obfuscated.bytes.end(), {static_cast<std::uint8_t>(swapped ^ 0xA5 ^ mask),
                                                       static_cast<std::uint8_t>(0xA5 ^ mask)});
    }
    out.insert(out.end(), {utf8, utf16, obfuscated});
  }
  return out;
}

struct region {
  std::uintptr_t start{};
  std::uintptr_t end{};
  std::string name{};
};

// Heaps, stacks and data. What is larger is a sanitizer's bookkeeping.
std::vector<region> writable_regions() {
  std::vector<region> out;
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);) {
    region r;
    char access[5]{};
    int name_at = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx %4s %*s %*s %*s %n", &r.start, &r.end, access, &name_at) < 3)
      continue;
    if (access[0] != 'r' || access[1] != 'w' || r.end - r.start > (256U << 20U)) continue;
    r.name = line.substr(static_cast<std::size_t>(name_at));
    out.push_back(r);
  }
  return out;
}

// By the first byte first, which is fast also where sanitizers make loops slow.
std::optional<std::size_t> find(const std::uint8_t* memory, std::size_t size, const masked& wanted) {
  for (std::size_t at = 0; at + wanted.size() <= size; ++at) {
    const void* first = std::memchr(memory + at, wanted[0] ^ mask, size - at);
    if (first == nullptr) return std::nullopt;
    at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(first) - memory);
    const auto same = [](std::uint8_t looked_for, std::uint8_t in_memory) {
      return (in_memory ^ mask) == looked_for;
    };
    if (at + wanted.size() <= size && std::equal(wanted.begin(), wanted.end(), memory + at, same)) return at;
  }
  return std::nullopt;
}

// Where `wanted` lies in what /proc/self/mem says of `r`; `window` is reused, and not looked at itself.
void look_into(int memory, const region& r, const std::vector<form>& wanted,
               std::vector<std::uint8_t>& window, std::vector<std::string>& found) {
  constexpr std::size_t overlap = 64;
  const auto own = reinterpret_cast<std::uintptr_t>(window.data());
  for (auto at = r.start; at < r.end; at += window.size() - overlap) {
    const auto size = std::min<std::size_t>(window.size(), r.end - at);
    const auto got = pread(memory, window.data(), size, static_cast<off_t>(at));
    if (got <= 0) continue;
    for (const auto& f : wanted) {
      const auto hit = find(window.data(), static_cast<std::size_t>(got), f.bytes);
      if (!hit) continue;
      const auto where = at + *hit;
      if (where >= own && where < own + window.size()) continue;
      std::ostringstream text;
      text << f.name << " at 0x" << std::hex << where << " in "
           << (r.name.empty() ? "a heap or a stack" : r.name);
      found.push_back(text.str());
    }
  }
}

std::vector<std::string> copies_in_memory() {
  std::vector<std::string> found;
  const auto wanted = forms();
  std::vector<std::uint8_t> window(64U << 10U);
  const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  for (const auto& r : writable_regions()) look_into(memory, r, wanted, window, found);
  close(memory);
  tds::wipe(window);
  return found;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const auto& line : lines) out.append(line).append("\n");
  return out;
}

TEST(password_memory, the_search_finds_what_is_there) {
  auto here = password();
  EXPECT_FALSE(copies_in_memory().empty());
  here.wipe();
  EXPECT_EQ(joined(copies_in_memory()), "");
}

class password_memory : public testing::TestWithParam<tds::encrypt_mode> {};

TEST_P(password_memory, no_copy_outlives_the_login) {
  tds::server_options options;
  options.any_user = true;  // so that the server needs no copy of its own
  tds::server_thread server{options};
  client me;
  {
    auto params = fake_params(server.port());
    params.password = password();
    params.encrypt = GetParam();
    params.trust_server_certificate = true;
    ASSERT_EQ(me.connect(std::move(params)), tds::error_code{}) << me.connection.diag().detail;
  }
  ASSERT_EQ(me.execute("SELECT 1"), tds::error_code{});
  EXPECT_EQ(joined(copies_in_memory()), "");
}

INSTANTIATE_TEST_SUITE_P(modes, password_memory,
                         testing::Values(tds::encrypt_mode::disable, tds::encrypt_mode::optional,
                                         tds::encrypt_mode::mandatory));

}  // namespace
