// SPDX-License-Identifier: BSL-1.0
// Whole captures: what is known of them must come out.
#include <bench/harness/analysis.hpp>
#include <tests/support/golden_path.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

using namespace std::chrono_literals;
using wiregap::analysis;
using wiregap::analysis_report;

struct outcome {
  explicit outcome(const std::string& path) : report(wiregap::analyze({path}, sums)) {}
  analysis sums{wiregap::analysis_settings{}};
  analysis_report report;
};

std::string recorded(const std::string& name) { return wiregap_test::golden_path("recordings/" + name); }

/// The gaps, in the order in which the requests were sent.
std::vector<double> gaps_ms(const std::string& path) {
  std::vector<double> out;
  analysis sums{wiregap::analysis_settings{}};
  sums.each = [&](const auto&, const auto& one) {
    if (const auto gap = tds::capture::gap(one)) out.push_back(static_cast<double>(gap->count()) / 1e6);
  };
  (void)wiregap::analyze({path}, sums);
  return out;
}

TEST(Analysis, RecordingsDecodeWhole) {
  for (const auto* name :
       {"freetds_7.1.pcap", "freetds_7.4.pcap", "tedious_queries.pcap", "tedious_rpc.pcap"}) {
    SCOPED_TRACE(name);
    const outcome found{recorded(name)};
    EXPECT_EQ(found.sums.counts().decode_errors, 0U);
    // One server ended the session in place of its last answer.
    EXPECT_EQ(found.sums.counts().unanswered, std::string_view{name} == "freetds_7.1.pcap" ? 1U : 0U);
    EXPECT_EQ(found.sums.counts().answers_alone, 0U);
    EXPECT_EQ(found.sums.counts().client_push.unpushed_messages, 0U);
    EXPECT_EQ(found.sums.counts().server_push.unpushed_messages, 0U);
  }
}

TEST(Analysis, RecordedBatches) {
  const outcome queries{recorded("tedious_queries.pcap")};
  // PRELOGIN and LOGIN7 are no requests.
  EXPECT_EQ(queries.report.diagnosis.requests, 59U);
  EXPECT_EQ(queries.sums.counts().exchanges, 61U);
}

/// Public captures are not part of the sources: a folder of them is named from outside.
std::string public_capture(const std::string& name) {
  const char* folder = std::getenv("WIREGAP_CAPTURES");
  if (folder == nullptr) return {};
  const std::string path = std::string{folder} + "/" + name;
  return std::ifstream{path}.good() ? path : std::string{};
}

class PublicCaptures : public testing::Test {
 protected:
  std::string path(const std::string& name) {
    auto found = public_capture(name);
    skipped_ = found.empty();
    return found;
  }
  bool skipped_ = false;
};

#define NEEDS_CAPTURE(file, name) \
  const auto file = path(name);   \
  if (skipped_) GTEST_SKIP() << "WIREGAP_CAPTURES names no folder with " << (name)

TEST_F(PublicCaptures, OldSessionInClear) {
  NEEDS_CAPTURE(file, "arkime__arkime__tds7.pcap");
  const auto gaps = gaps_ms(file);
  ASSERT_EQ(gaps.size(), 3U);
  EXPECT_NEAR(gaps[0], 0.802, 1e-6);
  EXPECT_NEAR(gaps[1], 0.945, 1e-6);
  EXPECT_NEAR(gaps[2], 1.897, 1e-6);
}

TEST_F(PublicCaptures, EveryPacketTwice) {
  NEEDS_CAPTURE(file, "0x5CE__beats__mssql_login_and_select.pcap");
  const outcome found{file};
  const auto& counts = found.sums.counts();
  EXPECT_EQ(counts.exchanges, 7U);
  EXPECT_EQ(counts.retransmissions, 0U);
  EXPECT_EQ(counts.duplicates, 14U);
  EXPECT_EQ(counts.decode_errors, 0U);
  EXPECT_EQ(found.sums.gaps().max(), 5480us);
  const auto gaps = gaps_ms(file);
  ASSERT_EQ(gaps.size(), 7U);
  EXPECT_NEAR(gaps[6], 1.253, 1e-6);
  ASSERT_EQ(found.sums.connections().size(), 1U);
  EXPECT_EQ(found.sums.connections()[0].of.encryption, tds::capture::encryption::login_only);
}

TEST_F(PublicCaptures, FragmentsOfStreams) {
  NEEDS_CAPTURE(file, "ntop__nDPI__mssql_tds.pcap");
  const outcome found{file};
  EXPECT_EQ(found.sums.counts().exchanges, 10U);
  EXPECT_EQ(found.sums.counts().unanswered, 9U);
  EXPECT_EQ(found.sums.counts().decode_errors, 0U);
  auto gaps = gaps_ms(file);
  std::ranges::sort(gaps);
  ASSERT_EQ(gaps.size(), 10U);
  EXPECT_NEAR(gaps[9], 477.549, 1e-6);
  EXPECT_NEAR(gaps[8], 471.662, 1e-6);
}

}  // namespace
