// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wiregap {

/// A program that this one started. Not waited for when the object goes.
class child {
 public:
  /// Starts `words[0]` (looked for in PATH) with standard streams shared and nothing else. It inherits the
  /// network namespace of the calling thread. With `own_group` a signal from the terminal does not reach it,
  /// and send() reaches all that it starts. Throws cannot_measure.
  static child start(const std::vector<std::string>& words, bool own_group);

  /// Its exit status once it has ended, 128 and the signal's number where one ended it; does not wait.
  std::optional<int> ended();

  void send(int signal) const;

 private:
  explicit child(int pid, bool own_group) : pid_{pid}, own_group_{own_group} {}

  int pid_;
  bool own_group_;
  std::optional<int> status_;
};

/// The terminal sends this program Ctrl-C itself, and so to what it starts in its own group.
bool in_foreground() noexcept;

/// Some program listens on a TCP port in the network namespace of the calling thread.
bool somebody_listens();

}  // namespace wiregap
