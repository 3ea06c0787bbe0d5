// SPDX-License-Identifier: BSL-1.0
// Findings speak of the machine that measures. In a capture that is the client's, wherever it was taken.
#include <bench/harness/analysis.hpp>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace wiregap {

namespace {

using wire::diagnose::finding;

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words{{
    {"this machine's", "the client's"},
    {"this machine", "the client's machine"},
    {"This machine", "The client's machine"},
}};

void put_right(std::string& text) {
  for (const auto& [ours, theirs] : words) {
    for (std::size_t at = 0; (at = text.find(ours, at)) != text.npos; at += theirs.size()) {
      text.replace(at, ours.size(), theirs);
    }
  }
}

void put_right(finding& of) {
  put_right(of.summary);
  for (auto& each : of.evidence) put_right(each.text);
  for (auto& each : of.excluded) {
    put_right(each.what);
    put_right(each.by);
  }
  for (auto& each : of.would_tell) put_right(each);
  for (auto& each : of.remedies) put_right(each.explanation);
}

}  // namespace

void speak_of_captures(std::vector<finding>& findings) {
  for (auto& each : findings) {
    // A capture has no such options, and nobody watched.
    std::erase_if(each.would_tell,
                  [](const std::string& hint) { return hint.find("--no-server-clock") != hint.npos; });
    std::erase_if(each.excluded, [](const auto& other) { return other.what == "this machine"; });
    put_right(each);
    if (each.confidence == wire::diagnose::confidence::proved) continue;
    each.would_tell.push_back(
        "a capture of the same minutes at the other end as well: wiregap analyze CLIENT SERVER tells on "
        "which stretch "
        "the time was lost");
  }
}

}  // namespace wiregap
