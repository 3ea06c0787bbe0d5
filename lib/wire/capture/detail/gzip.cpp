// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/detail/gzip.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace wire::capture::detail {
namespace {

// Both forms: bytes that were looked at come again, then the rest.
class replayed_source final : public byte_source {
 public:
  replayed_source(std::unique_ptr<byte_source> rest, std::span<const std::uint8_t> seen)
      : rest_(std::move(rest)), seen_(seen.begin(), seen.end()) {}

  std::size_t read(std::span<std::uint8_t> into) override {
    if (at_ == seen_.size()) return rest_->read(into);
    const std::size_t taken = std::min(into.size(), seen_.size() - at_);
    std::copy_n(seen_.begin() + static_cast<std::ptrdiff_t>(at_), taken, into.begin());
    at_ += taken;
    return taken;
  }

 private:
  std::unique_ptr<byte_source> rest_;
  std::vector<std::uint8_t> seen_;
  std::size_t at_ = 0;
};

class gzip_source final : public byte_source {
 public:
  gzip_source(std::unique_ptr<byte_source> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(std::size_t{1} << 16U) {
    // 16: a gzip header is expected, with the largest window.
    if (inflateInit2(&state_, 16 + MAX_WBITS) != Z_OK) throw read_error{name_ + ": no memory to unpack it"};
  }
  ~gzip_source() override { inflateEnd(&state_); }
  gzip_source(const gzip_source&) = delete;
  gzip_source& operator=(const gzip_source&) = delete;

  std::size_t read(std::span<std::uint8_t> into) override {
    const auto room = std::min<std::size_t>(into.size(), std::numeric_limits<uInt>::max());
    state_.next_out = into.data();
    state_.avail_out = static_cast<uInt>(room);
    while (state_.avail_out == room && !over_) step();
    return room - state_.avail_out;
  }

 private:
  void step() {
    if (state_.avail_in == 0) {
      const std::size_t got = packed_->read(input_);
      state_.next_in = input_.data();
      state_.avail_in = static_cast<uInt>(got);
      // A file that was cut inside: what came before is still good.
      if (got == 0) {
        over_ = true;
        return;
      }
    }
    const int result = inflate(&state_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      between_members_ = true;
      inflateReset(&state_);
    } else if (result == Z_OK || result == Z_BUF_ERROR) {
      between_members_ = false;
    } else if (between_members_) {
      over_ = true;  // padding behind the last member
    } else {
      throw read_error{name_ + ": damaged gzip data" +
                       (state_.msg != nullptr ? std::string{" ("} + state_.msg + ")" : std::string{})};
    }
  }

  std::unique_ptr<byte_source> packed_;
  std::string name_;
  std::vector<std::uint8_t> input_;
  z_stream state_{};
  bool between_members_ = false;
  bool over_ = false;
};

}  // namespace

std::unique_ptr<byte_source> unpacked(std::unique_ptr<byte_source> packed, std::string name) {
  std::array<std::uint8_t, 2> magic{};
  std::size_t seen = 0;
  while (seen < magic.size()) {
    const std::size_t got = packed->read(std::span{magic}.subspan(seen));
    if (got == 0) break;
    seen += got;
  }
  const bool gzip = seen == 2 && magic[0] == 0x1F && magic[1] == 0x8B;
  auto whole = std::make_unique<replayed_source>(std::move(packed), std::span{magic}.first(seen));
  if (!gzip) return whole;
  return std::make_unique<gzip_source>(std::move(whole), std::move(name));
}

}  // namespace wire::capture::detail
