// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/detail/key_log.hpp>

#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tds::tls::detail {

result<key_log> key_log::open(const std::string& path) {
  // Who may read the file follows from its folder: Windows has no mode bits for others.
  int descriptor = -1;
  const int failed =
      ::_sopen_s(&descriptor, path.c_str(), _O_WRONLY | _O_APPEND | _O_CREAT | _O_BINARY | _O_NOINHERIT,
                 _SH_DENYNO, _S_IREAD | _S_IWRITE);
  if (failed != 0) return error_code{failed, boost::system::generic_category()};
  return key_log{descriptor};
}

key_log::key_log(key_log&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

key_log::~key_log() {
  if (descriptor_ >= 0) ::_close(descriptor_);
}

void key_log::append(std::string_view line) const noexcept {
  char text[512];
  if (line.size() >= sizeof text) return;
  std::memcpy(text, line.data(), line.size());
  text[line.size()] = '\n';
  ::_write(descriptor_, text, static_cast<unsigned>(line.size() + 1));
}

}  // namespace tds::tls::detail
