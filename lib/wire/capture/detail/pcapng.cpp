// SPDX-License-Identifier: BSL-1.0
// pcapng (draft-ietf-opsawg-pcapng): blocks, each with its type and its length at both ends.
#include <wire/capture/detail/format.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace wire::capture::detail {
namespace {

constexpr std::uint32_t section_header = 0x0A0D0D0A;
constexpr std::uint32_t byte_order_magic = 0x1A2B3C4D;
constexpr std::uint32_t interface_description = 1;
constexpr std::uint32_t obsolete_packet = 2;
constexpr std::uint32_t simple_packet = 3;
constexpr std::uint32_t interface_statistics = 5;
constexpr std::uint32_t enhanced_packet = 6;

constexpr std::uint16_t option_time_resolution = 9;
constexpr std::uint16_t option_time_offset = 14;
constexpr std::uint16_t option_dropped = 5;

// How the ticks of an interface become nanoseconds.
struct time_unit {
  std::uint64_t per_second = 1'000'000;
  std::int64_t offset_seconds = 0;

  clock::stamp at(std::uint64_t ticks) const noexcept {
    constexpr std::uint64_t ns = 1'000'000'000;
    if (per_second == 0) return {};
    const std::uint64_t seconds = ticks / per_second;
    const std::uint64_t rest = ticks % per_second;
    // 2^63 ns are 292 years; rest * ns must fit as well.
    if (seconds > 9'000'000'000U || offset_seconds > 9'000'000'000 || offset_seconds < -9'000'000'000) {
      return {};
    }
    const std::int64_t whole = static_cast<std::int64_t>(seconds) + offset_seconds;
    if (whole > 9'000'000'000 || whole < -9'000'000'000) return {};
    const std::uint64_t fine = per_second <= ns * 10 ? rest * ns / per_second : rest / (per_second / ns);
    return clock::stamp{whole * 1'000'000'000 + static_cast<std::int64_t>(std::min(fine, ns - 1))};
  }
};

// if_tsresol: a power of ten, or of two with the high bit; 0 for what no time can be told by.
std::uint64_t ticks_per_second(std::uint8_t resolution) noexcept {
  const unsigned power = resolution & 0x7FU;
  if ((resolution & 0x80U) != 0) return power < 63 ? std::uint64_t{1} << power : 0;
  if (power > 18) return 0;
  std::uint64_t value = 1;
  for (unsigned i = 0; i < power; ++i) value *= 10;
  return value;
}

struct described_interface {
  link_type link{};
  std::uint32_t snap_length{};
  time_unit unit{};
  clock::stamp last{};
  std::uint32_t number{};
  std::uint64_t dropped{};
};

class pcapng_format final : public packet_reader::format {
 public:
  pcapng_format(window bytes, std::uint32_t first_interface)
      : format(std::move(bytes)), next_number_(first_interface) {}

  const packet* next() override {
    for (;;) {
      const auto head = bytes_.peek(12);
      if (head.size() < 12) return stop_at_end(head.size());
      // A section says its own byte order; its block type reads alike in both.
      if (network_order.u32(head, 0) == section_header) {
        if (!begin_section(head)) return stop_damaged("a section without its byte order");
      }
      const std::uint32_t type = order_.u32(head, 0);
      const std::uint32_t size = order_.u32(head, 4);
      if (size < 12 || size % 4 != 0) {
        return stop_damaged("a block of " + std::to_string(size) + " bytes");
      }
      if (!is_read(type) || size > most_packet_bytes * 2) {
        if (is_read(type)) ++counts.malformed;
        if (!bytes_.skip(size)) return stop_at_end(1);
        continue;
      }
      const auto block = bytes_.peek(size);
      if (block.size() < size) return stop_at_end(block.size());
      auto* from = read_block(type, block.subspan(8, size - 12));
      bytes_.take(size);
      if (from != nullptr) return hand_out(from->last);
    }
  }

 private:
  static bool is_read(std::uint32_t type) noexcept {
    return type == interface_description || type == enhanced_packet || type == simple_packet ||
           type == obsolete_packet || type == interface_statistics;
  }

  bool begin_section(octets head) {
    for (const byte_order order : {byte_order{false}, byte_order{true}}) {
      if (order.u32(head, 8) != byte_order_magic) continue;
      order_ = order;
      interfaces_.clear();
      return true;
    }
    return false;
  }

  // The interface of a packet that is ready in packet_; nothing for every other block.
  described_interface* read_block(std::uint32_t type, octets body) {
    switch (type) {
      case interface_description:
        describe(body);
        return nullptr;
      case interface_statistics:
        read_statistics(body);
        return nullptr;
      case enhanced_packet:
        return body.size() < 20 ? malformed() : read_packet(order_.u32(body, 0), body);
      case obsolete_packet:
        return body.size() < 20 ? malformed() : read_packet(order_.u16(body, 0), body);
      default:
        return read_simple(body);
    }
  }

  described_interface* malformed() {
    ++counts.malformed;
    return nullptr;
  }

  // Calls `each` with code and value of every option.
  template <class Each>
  void options(octets at, Each&& each) {
    while (at.size() >= 4) {
      const std::uint16_t code = order_.u16(at, 0);
      const std::size_t size = order_.u16(at, 2);
      if (code == 0) return;
      if (size > at.size() - 4) {
        ++counts.malformed;
        return;
      }
      each(code, at.subspan(4, size));
      at = at.subspan(std::min(at.size(), 4 + (size + 3) / 4 * 4));
    }
  }

  void describe(octets body) {
    if (body.size() < 8) {
      ++counts.malformed;
      return;
    }
    // A file of nothing but these would otherwise fill the memory.
    constexpr std::size_t most_interfaces = 4096;
    if (interfaces_.size() == most_interfaces) {
      ++counts.malformed;
      return;
    }
    described_interface found;
    found.link = static_cast<link_type>(order_.u16(body, 0));
    found.snap_length = order_.u32(body, 4);
    found.number = next_number_++;
    options(body.subspan(8), [&](std::uint16_t code, octets value) {
      if (code == option_time_resolution && !value.empty()) {
        found.unit.per_second = ticks_per_second(value[0]);
      } else if (code == option_time_offset && value.size() >= 8) {
        found.unit.offset_seconds = static_cast<std::int64_t>(order_.u64(value, 0));
      }
    });
    ++counts.interfaces;
    interfaces_.push_back(found);
  }

  void read_statistics(octets body) {
    if (body.size() < 12 || order_.u32(body, 0) >= interfaces_.size()) {
      ++counts.malformed;
      return;
    }
    auto& of = interfaces_[order_.u32(body, 0)];
    options(body.subspan(12), [&](std::uint16_t code, octets value) {
      if (code != option_dropped || value.size() < 8) return;
      const std::uint64_t dropped = order_.u64(value, 0);
      // It counts from the interface's beginning and may come several times.
      if (dropped > of.dropped) counts.dropped += dropped - of.dropped;
      of.dropped = dropped;
    });
  }

  // The enhanced packet and the obsolete one have the same fields behind the interface.
  described_interface* read_packet(std::uint32_t interface, octets body) {
    const std::uint32_t kept = order_.u32(body, 12);
    if (interface >= interfaces_.size() || kept > body.size() - 20) return malformed();
    auto& of = interfaces_[interface];
    const std::uint64_t ticks = static_cast<std::uint64_t>(order_.u32(body, 4)) << 32 | order_.u32(body, 8);
    fill_packet(of, of.unit.at(ticks), body.subspan(20, kept), order_.u32(body, 16));
    return &of;
  }

  described_interface* read_simple(octets body) {
    if (body.size() < 4 || interfaces_.empty()) return malformed();
    auto& of = interfaces_.front();
    const std::uint32_t size = order_.u32(body, 0);
    std::size_t kept = std::min<std::size_t>(size, body.size() - 4);
    if (of.snap_length != 0) kept = std::min<std::size_t>(kept, of.snap_length);
    fill_packet(of, {}, body.subspan(4, kept), size);
    return &of;
  }

  void fill_packet(const described_interface& of, clock::stamp when, octets bytes, std::uint32_t size) {
    packet_.when = when;
    packet_.link = of.link;
    packet_.interface = of.number;
    packet_.bytes = bytes;
    if (size < bytes.size()) ++counts.malformed;
    packet_.wire_bytes = std::max(size, static_cast<std::uint32_t>(bytes.size()));
  }

  byte_order order_{};
  std::vector<described_interface> interfaces_;
  std::uint32_t next_number_;
};

}  // namespace

std::unique_ptr<packet_reader::format> read_pcapng(window bytes, std::uint32_t first_interface) {
  return std::make_unique<pcapng_format>(std::move(bytes), first_interface);
}

}  // namespace wire::capture::detail
