// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/detail/format.hpp>
#include <wire/capture/reader.hpp>

namespace wire::capture {
namespace {

class no_format final : public packet_reader::format {
 public:
  explicit no_format(detail::window bytes, bool empty) : format(std::move(bytes)) {
    end = file_end::not_capture;
    problem = empty ? "the file is empty" : "not a capture: it begins neither as pcap nor as pcapng does";
  }
  const packet* next() override { return nullptr; }
};

std::unique_ptr<packet_reader::format> recognize(detail::window bytes, std::uint32_t first_interface) {
  constexpr std::uint32_t microseconds = 0xA1B2C3D4;
  constexpr std::uint32_t nanoseconds = 0xA1B23C4D;
  constexpr std::uint32_t section_header = 0x0A0D0D0A;
  const auto magic = bytes.peek(4);
  if (magic.size() == 4) {
    for (const detail::byte_order order : {detail::byte_order{false}, detail::byte_order{true}}) {
      const std::uint32_t value = order.u32(magic, 0);
      if (value == microseconds || value == nanoseconds) {
        return detail::read_pcap(std::move(bytes), order, value == nanoseconds, first_interface);
      }
    }
    if (detail::network_order.u32(magic, 0) == section_header) {
      return detail::read_pcapng(std::move(bytes), first_interface);
    }
  }
  const bool empty = magic.empty();
  return std::make_unique<no_format>(std::move(bytes), empty);
}

}  // namespace

packet_reader::packet_reader(std::unique_ptr<byte_source> from, std::uint32_t first_interface)
    : format_(recognize(detail::window{std::move(from)}, first_interface)) {}

packet_reader::~packet_reader() = default;
packet_reader::packet_reader(packet_reader&&) noexcept = default;
packet_reader& packet_reader::operator=(packet_reader&&) noexcept = default;

const packet* packet_reader::next() { return format_->end == file_end::not_yet ? format_->next() : nullptr; }

file_end packet_reader::end() const noexcept { return format_->end; }
const std::string& packet_reader::problem() const noexcept { return format_->problem; }
const file_counts& packet_reader::counts() const noexcept { return format_->counts; }

}  // namespace wire::capture
