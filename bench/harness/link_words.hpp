// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/link/link.hpp>

#include <string>
#include <vector>

namespace wiregap {

/// The impairments of a link as a person writes them. Each word may begin with "request:" (what the client
/// sends) or "response:" (what the server sends); without it both directions are meant.
struct link_words {
  std::vector<std::string> delay;          ///< "40ms"
  std::vector<std::string> jitter;         ///< "5ms"
  std::vector<std::string> rate;           ///< "10Mbit"
  std::vector<std::string> queue;          ///< "64KiB"
  std::vector<std::string> lose;           ///< a selection
  std::vector<std::string> duplicate;      ///< a selection
  std::vector<std::string> reorder;        ///< "3ms", then a selection behind a comma
  std::vector<std::string> late;           ///< "80ms", then a selection behind a comma
  std::vector<std::string> clear_push;     ///< a selection
  std::vector<std::string> lose_request;   ///< a selection that counts requests; no direction
  std::vector<std::string> lose_response;  ///< a selection that counts responses; no direction
  std::vector<std::string> black_hole;     ///< "1400B": larger packets never arrive
  std::vector<std::string>
      merge;  ///< "window=100us,max=64KiB,push=first,across", then a selection of what push is for
  std::vector<std::string> hold;    ///< "client" or "server", then "timer=500ms,buffer=64KiB"
  std::vector<std::string> pause;   ///< "300ms,at=5s,every=10s"
  std::vector<std::string> sysctl;  ///< "net.ipv4.tcp_congestion_control=cubic"
  unsigned long long seed = 1;
};

/// What a selection is made of, for a help text.
extern const char* const selection_help;

/// Both impairments and the kernel parameters. Throws std::invalid_argument, naming the option as the command
/// line has it ("--lose response:every=x: ...").
wire::link::link_settings settings_of(const link_words& words);

}  // namespace wiregap
