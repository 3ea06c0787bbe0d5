// SPDX-License-Identifier: BSL-1.0
#include "exit_status.hpp"
#include "terminal.hpp"

#include <io.h>
#include <windows.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>

namespace wiregap::terminal {

namespace {

HANDLE handle_of(std::FILE* stream) noexcept {
  return reinterpret_cast<HANDLE>(::_get_osfhandle(::_fileno(stream)));
}

bool environment_is(const char* name, std::string_view value) noexcept {
  const char* found = std::getenv(name);
  return found != nullptr && found == value;
}

/// The console's input or output, wherever the standard streams lead.
class console {
 public:
  explicit console(const wchar_t* name) noexcept
      : handle_(::CreateFileW(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                              OPEN_EXISTING, 0, nullptr)) {}
  ~console() {
    if (is_there()) ::CloseHandle(handle_);
  }
  console(const console&) = delete;
  console& operator=(const console&) = delete;

  bool is_there() const noexcept { return handle_ != INVALID_HANDLE_VALUE; }
  HANDLE handle() const noexcept { return handle_; }

 private:
  HANDLE handle_;
};

// Ctrl-C and Ctrl-Break end the line instead of the program for as long as this lives: whoever changed the
// console gets to restore it. The handler runs on a thread of its own.
class held_breaks {
 public:
  held_breaks() noexcept {
    struck = false;
    ::SetConsoleCtrlHandler(note, TRUE);
  }
  ~held_breaks() { ::SetConsoleCtrlHandler(note, FALSE); }
  held_breaks(const held_breaks&) = delete;
  held_breaks& operator=(const held_breaks&) = delete;

  bool came() const noexcept { return struck; }

 private:
  static BOOL WINAPI note(DWORD event) noexcept {
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
    struck = true;
    return TRUE;
  }
  static inline std::atomic<bool> struck{false};
};

// The console without echo for as long as this lives; restored on every way out.
class silent_console {
 public:
  silent_console() noexcept {
    if (!in_.is_there() || !out_.is_there() || ::GetConsoleMode(in_.handle(), &before_) == 0) return;
    const DWORD quiet =
        (before_ & ~static_cast<DWORD>(ENABLE_ECHO_INPUT)) | ENABLE_LINE_INPUT | ENABLE_PROCESSED_INPUT;
    ::FlushConsoleInputBuffer(in_.handle());
    ready_ = ::SetConsoleMode(in_.handle(), quiet) != 0;
  }
  ~silent_console() {
    if (ready_) ::SetConsoleMode(in_.handle(), before_);
  }
  silent_console(const silent_console&) = delete;
  silent_console& operator=(const silent_console&) = delete;

  bool ready() const noexcept { return ready_; }

  void say(std::string_view utf8) const {
    std::array<wchar_t, 512> text{};
    const int size = ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), static_cast<int>(utf8.size()),
                                           text.data(), static_cast<int>(text.size()));
    DWORD written = 0;
    ::WriteConsoleW(out_.handle(), text.data(), static_cast<DWORD>(size), &written, nullptr);
  }

  // One line without its end, as UTF-8; false when the console is gone or Ctrl-C was pressed.
  bool read_line(std::array<char, 1024>& into, std::size_t& size) const noexcept {
    std::array<wchar_t, 256> text{};
    DWORD got = 0;
    const bool read =
        ::ReadConsoleW(in_.handle(), text.data(), static_cast<DWORD>(text.size()), &got, nullptr) != 0;
    const bool answered = read && got > 0 && !breaks_.came();
    while (got > 0 && (text[got - 1] == L'\n' || text[got - 1] == L'\r')) --got;
    // A unit of UTF-16 makes three bytes at most, so the line fits.
    const int bytes = got == 0
                          ? 0
                          : ::WideCharToMultiByte(CP_UTF8, 0, text.data(), static_cast<int>(got), into.data(),
                                                  static_cast<int>(into.size()), nullptr, nullptr);
    tds::wipe_memory(text.data(), text.size() * sizeof(wchar_t));
    size = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
    return answered;
  }

 private:
  held_breaks breaks_;
  console in_{L"CONIN$"};
  console out_{L"CONOUT$"};
  DWORD before_ = 0;
  bool ready_ = false;
};

}  // namespace

bool is_interactive(std::FILE* stream) noexcept {
  DWORD mode = 0;
  const HANDLE handle = handle_of(stream);
  if (::GetConsoleMode(handle, &mode) == 0 || environment_is("TERM", "dumb")) return false;
  // Cursor movement has to be switched on; a console older than Windows 10 1511 has none.
  return (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0 ||
         ::SetConsoleMode(handle, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

bool wants_color(std::FILE* stream) noexcept {
  const char* no_color = std::getenv("NO_COLOR");
  return is_interactive(stream) && (no_color == nullptr || *no_color == '\0');
}

unsigned width(std::FILE* stream) noexcept {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (::GetConsoleScreenBufferInfo(handle_of(stream), &info) == 0) return 80;
  const int columns = info.srWindow.Right - info.srWindow.Left + 1;
  return columns > 0 ? static_cast<unsigned>(columns) : 80;
}

bool can_prompt() noexcept { return console{L"CONIN$"}.is_there(); }

tds::secret prompt_secret(const std::string& question) {
  const silent_console terminal;
  if (!terminal.ready()) throw cannot_measure{"no console to ask for the password on"};
  terminal.say(question);
  std::array<char, 1024> line{};
  std::size_t size = 0;
  const bool answered = terminal.read_line(line, size);
  terminal.say("\r\n");
  tds::secret out{std::string_view{line.data(), size}};
  tds::wipe_memory(line.data(), line.size());
  if (!answered) throw cannot_measure{"no password given"};
  return out;
}

}  // namespace wiregap::terminal
