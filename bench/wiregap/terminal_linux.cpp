// SPDX-License-Identifier: BSL-1.0
#include "exit_status.hpp"
#include "terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace wiregap::terminal {

namespace {

constexpr const char* controlling_terminal = "/dev/tty";

// Signals that would end the program wait until this goes, but for the time inside wait_readable(), where
// they are noted: whoever changed the terminal gets to restore it.
class held_signals {
 public:
  held_signals() noexcept {
    struck = 0;
    struct sigaction note {};
    note.sa_handler = [](int signal) { struck = signal; };
    sigset_t all;
    ::sigemptyset(&all);
    for (std::size_t i = 0; i < signals.size(); ++i) {
      ::sigaddset(&all, signals[i]);
      ::sigaction(signals[i], &note, &actions_[i]);
    }
    ::sigprocmask(SIG_BLOCK, &all, &mask_);
  }
  ~held_signals() {
    ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &actions_[i], nullptr);
    if (struck != 0) ::raise(struck);
  }
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

  // False when a signal came.
  bool wait_readable(int fd) const noexcept {
    pollfd what{fd, POLLIN, 0};
    return ::ppoll(&what, 1, nullptr, &mask_) == 1 && struck == 0;
  }

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  static inline volatile std::sig_atomic_t struck = 0;
  std::array<struct sigaction, signals.size()> actions_{};
  sigset_t mask_{};
};

// The terminal without echo for as long as this lives; restored on every way out. Its keys make no signals:
// Ctrl-C and Ctrl-\ end the line instead.
class silent_terminal {
 public:
  silent_terminal() : fd_(::open(controlling_terminal, O_RDWR | O_CLOEXEC)) {
    if (fd_ < 0 || ::tcgetattr(fd_, &before_) != 0) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    quiet.c_cc[VEOL] = before_.c_cc[VINTR];
    quiet.c_cc[VEOL2] = before_.c_cc[VQUIT];
    ready_ = ::tcsetattr(fd_, TCSAFLUSH, &quiet) == 0;
  }
  ~silent_terminal() {
    if (ready_) ::tcsetattr(fd_, TCSAFLUSH, &before_);
    if (fd_ >= 0) ::close(fd_);
  }
  silent_terminal(const silent_terminal&) = delete;
  silent_terminal& operator=(const silent_terminal&) = delete;

  bool ready() const noexcept { return ready_; }
  void say(std::string_view text) const noexcept { (void)!::write(fd_, text.data(), text.size()); }
  // One line without its end; false when the terminal is gone, a signal came or Ctrl-C was pressed.
  bool read_line(std::array<char, 1024>& into, std::size_t& size) const noexcept {
    if (!signals_.wait_readable(fd_)) return false;
    const auto got = ::read(fd_, into.data(), into.size());
    if (got <= 0) return false;
    size = static_cast<std::size_t>(got);
    if (is_break(into[size - 1])) return false;
    while (size > 0 && (into[size - 1] == '\n' || into[size - 1] == '\r')) --size;
    return true;
  }

 private:
  bool is_break(char last) const noexcept {
    const auto key = static_cast<cc_t>(last);
    return key != _POSIX_VDISABLE && (key == before_.c_cc[VINTR] || key == before_.c_cc[VQUIT]);
  }

  held_signals signals_;
  int fd_;
  termios before_{};
  bool ready_ = false;
};

bool environment_is(const char* name, std::string_view value) noexcept {
  const char* found = std::getenv(name);
  return found != nullptr && found == value;
}

}  // namespace

bool is_interactive(std::FILE* stream) noexcept {
  return ::isatty(::fileno(stream)) == 1 && !environment_is("TERM", "dumb");
}

bool wants_color(std::FILE* stream) noexcept {
  const char* no_color = std::getenv("NO_COLOR");
  return is_interactive(stream) && (no_color == nullptr || *no_color == '\0');
}

unsigned width(std::FILE* stream) noexcept {
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

bool can_prompt() noexcept {
  const int fd = ::open(controlling_terminal, O_RDWR | O_CLOEXEC);
  if (fd < 0) return false;
  ::close(fd);
  return true;
}

tds::secret prompt_secret(const std::string& question) {
  const silent_terminal terminal;
  if (!terminal.ready()) throw cannot_measure{"no terminal to ask for the password on"};
  terminal.say(question);
  std::array<char, 1024> line{};
  std::size_t size = 0;
  const bool answered = terminal.read_line(line, size);
  terminal.say("\n");
  tds::secret out{std::string_view{line.data(), size}};
  tds::wipe_memory(line.data(), line.size());
  if (!answered) throw cannot_measure{"no password given"};
  return out;
}

}  // namespace wiregap::terminal
