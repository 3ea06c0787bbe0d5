// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/detail/key_log.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tds::tls::detail {

result<key_log> key_log::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
  if (descriptor < 0) return error_code{errno, boost::system::system_category()};
  return key_log{descriptor};
}

key_log::key_log(key_log&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

key_log::~key_log() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void key_log::append(std::string_view line) const noexcept {
  // The longest line of the format is some 200 bytes. One write of the whole line is what keeps lines apart.
  char text[512];
  if (line.size() >= sizeof text) return;
  std::memcpy(text, line.data(), line.size());
  text[line.size()] = '\n';
  while (::write(descriptor_, text, line.size() + 1) < 0 && errno == EINTR) {
  }
}

}  // namespace tds::tls::detail
