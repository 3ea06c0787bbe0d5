// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/secret.hpp>

#include <algorithm>
#include <utility>

namespace tds {

void wipe_memory(void* memory, std::size_t size) noexcept {
  auto* byte = static_cast<volatile unsigned char*>(memory);
  for (std::size_t i = 0; i < size; ++i) byte[i] = 0;
}

secret::secret(std::string_view text)
    : text_(text.empty() ? nullptr : std::make_unique<char[]>(text.size())), size_(text.size()) {
  std::copy(text.begin(), text.end(), text_.get());
}

secret::secret(secret&& other) noexcept
    : text_(std::move(other.text_)), size_(std::exchange(other.size_, 0)) {}

secret& secret::operator=(const secret& other) {
  if (this != &other) *this = secret{other};
  return *this;
}

secret& secret::operator=(secret&& other) noexcept {
  if (this != &other) {
    wipe();
    text_ = std::move(other.text_);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

void secret::wipe() noexcept {
  wipe_memory(text_.get(), size_);
  text_.reset();
  size_ = 0;
}

}  // namespace tds
