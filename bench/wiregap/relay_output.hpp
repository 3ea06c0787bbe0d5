// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/relay_watch.hpp>
#include <wire/clock/wall_clock.hpp>

#include <cstdio>
#include <string>

namespace wiregap {

struct relay_output_options {
  std::FILE* text = nullptr;  ///< one line a message; nothing when null
  std::FILE* json = nullptr;  ///< one JSON object a message, each on a line; likewise
  bool fields = false;        ///< each message field by field in the text
  bool show_secrets = false;
};

/// Prints what a relay carries, message by message.
class relay_output final : public relay_watch::audience {
 public:
  relay_output(const relay_output_options& options, const wire::clock::anchor& clock)
      : options_{options}, clock_{clock} {}

  void opened(std::uint64_t connection, const relay_tap::endpoint& client, const relay_tap::endpoint& server,
              relay_tap::stamp when) override;
  void seen(const relayed_message& one) override;
  void lost(std::uint64_t connection, const std::string& why) override;
  void closed(std::uint64_t connection, bool reset, relay_tap::stamp when) override;

 private:
  std::string time(relay_tap::stamp when) const;
  void say(relay_tap::stamp when, std::uint64_t connection, const std::string& what);

  relay_output_options options_;
  wire::clock::anchor clock_;
};

}  // namespace wiregap
