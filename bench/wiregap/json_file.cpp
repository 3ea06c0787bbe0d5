// SPDX-License-Identifier: BSL-1.0
#include "json_file.hpp"

#include "exit_status.hpp"

#include <fmt/format.h>

namespace wiregap {

json_file::json_file(const std::optional<std::string>& path) : path_(path.value_or("")) {
  if (!path) return;
  if (path_ == "-") {
    file_ = stdout;
  } else if (file_ = std::fopen(path_.c_str(), "w"); file_ == nullptr) {
    throw cannot_measure{fmt::format("--json {}: cannot be written", path_)};
  }
}

json_file::~json_file() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void json_file::write(const std::string& text) {
  if (file_ == nullptr) return;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
  if (!written) throw cannot_measure{fmt::format("--json {}: not written to its end", path_)};
}

}  // namespace wiregap
