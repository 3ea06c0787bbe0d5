// SPDX-License-Identifier: BSL-1.0
#include "child.hpp"
#include "exit_status.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fstream>

namespace wiregap {

child child::start(const std::vector<std::string>& words, bool own_group) {
  std::vector<char*> arguments;
  // exec takes pointers to what it does not change.
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addclosefrom_np(&files, 3);
  if (own_group) ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], &files, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    throw cannot_measure{
        fmt::format("{}: cannot be started: {}", words[0], std::generic_category().message(error))};
  }
  return child{pid, own_group};
}

std::optional<int> child::ended() {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  return status_;
}

void child::send(int signal) const {
  if (!status_) ::kill(own_group_ ? -pid_ : pid_, signal);
}

bool in_foreground() noexcept { return ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

bool somebody_listens() {
  for (const auto* path : {"/proc/thread-self/net/tcp", "/proc/thread-self/net/tcp6"}) {
    std::ifstream file{path};
    std::string number, local, remote, state, rest;
    std::getline(file, rest);
    while (file >> number >> local >> remote >> state) {
      if (state == "0A") return true;  // TCP_LISTEN
      std::getline(file, rest);
    }
  }
  return false;
}

}  // namespace wiregap
