// SPDX-License-Identifier: BSL-1.0
#include <tests/support/tls_peers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace wiregap_test::tls {
namespace {

TEST(tls_context, shared_between_threads_race) {
  const auto both = make_pair(false);
  std::vector<std::thread> threads;
  std::atomic<int> good{};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) {
        auto client = engine::client(both.client_side).value();
        auto server = engine::server(both.server_side).value();
        if (!shake_hands(client, server).client) ++good;
      }
    });
  }
  for (auto& each : threads) each.join();
  EXPECT_EQ(good, 20);
}

// Contexts made at the same time load the roots once and verify with one store.
TEST(tls_context, made_and_used_by_several_threads_race) {
  const auto options = trusting_root(false);
  const auto server_side = server_context::create(serving(test_leaf(), false)).value();
  std::vector<std::thread> threads;
  std::atomic<int> good{};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) {
        const auto client_side = client_context::create(options).value();
        auto client = engine::client(client_side).value();
        auto server = engine::server(server_side).value();
        if (!shake_hands(client, server).client) ++good;
      }
    });
  }
  for (auto& each : threads) each.join();
  EXPECT_EQ(good, 20);
}

}  // namespace
}  // namespace wiregap_test::tls
