// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/detail/gzip.hpp>
#include <wire/capture/source.hpp>

#include <system_error>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace wire::capture {
namespace {

class file_source final : public byte_source {
 public:
  explicit file_source(const std::string& path) : path_(path) {
    if (path == "-") {
      path_ = "standard input";
      file_ = stdin;
    } else {
      file_ = std::fopen(path.c_str(), "rb");
    }
    if (file_ == nullptr) fail("cannot be opened");
    // The reader's buffer is large enough; a second one would only copy once more.
    std::setvbuf(file_, nullptr, _IONBF, 0);
  }
  ~file_source() override {
    if (file_ != stdin) std::fclose(file_);
  }
  file_source(const file_source&) = delete;
  file_source& operator=(const file_source&) = delete;

  std::size_t read(std::span<std::uint8_t> into) override {
    const std::size_t got = std::fread(into.data(), 1, into.size(), file_);
    if (got == 0 && std::ferror(file_) != 0) fail("cannot be read");
    return got;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw read_error{path_ + ": " + what + " (" + std::generic_category().message(errno) + ")"};
  }

  std::string path_;
  std::FILE* file_ = nullptr;
};

class memory_source final : public byte_source {
 public:
  explicit memory_source(std::span<const std::uint8_t> bytes) : left_(bytes) {}

  std::size_t read(std::span<std::uint8_t> into) override {
    const std::size_t taken = std::min(into.size(), left_.size());
    std::copy_n(left_.begin(), taken, into.begin());
    left_ = left_.subspan(taken);
    return taken;
  }

 private:
  std::span<const std::uint8_t> left_;
};

}  // namespace

std::unique_ptr<byte_source> open_file(const std::string& path) {
  return detail::unpacked(std::make_unique<file_source>(path), path == "-" ? "standard input" : path);
}

std::unique_ptr<byte_source> open_memory(std::span<const std::uint8_t> bytes) {
  return detail::unpacked(std::make_unique<memory_source>(bytes), "memory");
}

}  // namespace wire::capture
