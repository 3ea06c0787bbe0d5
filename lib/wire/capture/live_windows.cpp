// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/live.hpp>

namespace wire::capture {

class live_capture::work {};

live_capture::live_capture(const live_settings&) {
  throw live_error{"no live capture on Windows: capture with pktmon or Wireshark, and give the file"};
}
live_capture::~live_capture() = default;

const packet* live_capture::next(std::chrono::milliseconds) { return nullptr; }
live_counts live_capture::counts() { return {}; }

}  // namespace wire::capture
