// SPDX-License-Identifier: BSL-1.0
// The link as a program uses it. Needs root, as the link does.
#include "ends.hpp"
#include <wire/clock/stamp.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

using namespace std::chrono_literals;
using namespace wire::link;
using wire::clock::stamp;
using wiregap_test::echo_over;

class Link : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = wire::link::link::why_not(); !reason.empty()) GTEST_SKIP() << reason;
  }

  static std::string text_of(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
};

impairment delayed(nanoseconds by) {
  impairment out;
  out.delay = by;
  return out;
}

TEST_F(Link, ImpairmentsChangeUnderAConnection) {
  wire::link::link link;
  echo_over both{link};
  both.ask(100);
  link.set(direction::to_client, delayed(30ms));
  EXPECT_GE(both.ask(100), 30ms);
  link.set(direction::to_server, delayed(30ms));
  EXPECT_EQ(link.current(direction::to_server).delay, nanoseconds{30ms});
  EXPECT_GE(both.ask(100), 60ms);
  EXPECT_EQ(link.problem(), "");
}

TEST_F(Link, AFaultIsInTheLedgerWithItsTime) {
  wire::link::link link;
  echo_over both{link};
  impairment wanted;
  wanted.faults = {{fault_kind::delay, {.count = counting::messages, .every = 3}, 50ms}};
  both.ask(100);
  link.set(direction::to_client, wanted);
  const auto began = stamp::now();
  std::vector<nanoseconds> took;
  for (int i = 0; i < 6; ++i) took.push_back(both.ask(200));
  const auto ended = stamp::now();
  const auto entries = link.entries();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(link.count(deed::delayed), 2U);
  EXPECT_EQ(entries[0].way, direction::to_client);
  EXPECT_EQ(entries[0].what, deed::delayed);
  EXPECT_EQ(entries[0].bytes, 200U);
  EXPECT_EQ(entries[0].server_port, 7);
  EXPECT_EQ(entries[1].message - entries[0].message, 3U);
  EXPECT_GT(entries[0].at, began);
  EXPECT_LT(entries[1].at, ended);
  EXPECT_GE(took[2], 50ms);
  EXPECT_GE(took[5], 50ms);
  EXPECT_EQ(link.entries(1).size(), 1U);
  EXPECT_TRUE(link.entries(2).empty());
}

TEST_F(Link, APauseHoldsUpBothDirections) {
  wire::link::link link;
  echo_over both{link};
  both.ask(100);
  link.pause(100ms);
  EXPECT_GE(both.ask(100), 90ms);
}

TEST_F(Link, RunInReturnsAndThrowsWhatTheWorkDoes) {
  const wire::link::link link;
  EXPECT_EQ(link.run_in(side::client, [] { return std::string{"done"}; }), "done");
  int ran = 0;
  link.run_in(side::server, [&ran] { ++ran; });
  EXPECT_EQ(ran, 1);
  EXPECT_THROW(link.run_in(side::server, [] { throw std::out_of_range{"of it"}; }), std::out_of_range);
}

TEST_F(Link, TheEndsAreApart) {
  const wire::link::link one;
  const wire::link::link other;
  EXPECT_NE(one.namespace_of(side::client), one.namespace_of(side::server));
  EXPECT_NE(one.namespace_of(side::client), other.namespace_of(side::client));
  boost::asio::io_context context;
  using boost::asio::ip::tcp;
  const auto listens = [&](const wire::link::link& over) {
    return over.run_in(side::server, [&] { return tcp::acceptor{context, tcp::endpoint{tcp::v4(), 7}}; });
  };
  const auto first = listens(one), second = listens(other);
  EXPECT_TRUE(first.is_open() && second.is_open()) << "the same address and port, in two namespaces";
}

TEST_F(Link, FilesAreWholeWhenItHasStopped) {
  const auto base = testing::TempDir() + "wiregap_link_" + std::to_string(stamp::now().ns());
  link_settings settings;
  settings.client_capture = base + ".client";
  settings.server_capture = base + ".server";
  settings.ledger_file = base + ".ledger";
  settings.to_server.faults = {{fault_kind::duplicate, {.limit = 1}, {}}};
  wire::link::link link{settings};
  echo_over{link}.ask(5000);
  link.stop();
  EXPECT_EQ(link.problem(), "");
  for (const auto& path : {settings.client_capture, settings.server_capture}) {
    EXPECT_TRUE(text_of(path).starts_with("\x0a\x0d\x0d\x0a")) << path;
    EXPECT_GT(text_of(path).size(), 10'000U);
    std::remove(path.c_str());
  }
  EXPECT_EQ(text_of(settings.ledger_file), to_json(link.entries().at(0)) + "\n");
  std::remove(settings.ledger_file.c_str());
}

TEST_F(Link, WhatCannotBeIsRefused) {
  EXPECT_THROW(wire::link::link({.server_capture = "/nonexistent/file"}), link_error);
  EXPECT_THROW(wire::link::link({.sysctls = {{"net.ipv4.no_such", "1"}}}), link_error);
  wire::link::link link;
  EXPECT_THROW(link.set(direction::to_server, delayed(-1ms)), std::invalid_argument);
  echo_over both{link};
  both.ask(100);
}

}  // namespace
