// SPDX-License-Identifier: BSL-1.0
// Reading and writing by Asio's own non-blocking calls: no receive stamps.
#include <wire/net/tcp_stream.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace wire::net {

namespace asio = boost::asio;

io_result tcp_stream::try_read(std::span<std::uint8_t> into) noexcept {
  io_result result;
  if (may_block()) {
    WSAPOLLFD one{socket_.native_handle(), POLLIN, 0};
    ::WSAPoll(&one, 1, static_cast<INT>(longest_block.count()));
  }
  if (!into.empty()) result.bytes = socket_.receive(asio::buffer(into.data(), into.size()), 0, result.ec);
  return result;
}

io_result tcp_stream::try_write(std::span<const std::uint8_t> from) noexcept {
  io_result result;
  if (!from.empty()) result.bytes = socket_.send(asio::buffer(from.data(), from.size()), 0, result.ec);
  return result;
}

io_result tcp_stream::try_write(std::span<const std::span<const std::uint8_t>> pieces) noexcept {
  std::array<asio::const_buffer, 16> buffers;
  std::size_t total = 0;
  for (std::size_t i = 0; i < std::min(pieces.size(), buffers.size()); ++i) {
    buffers[i] = asio::buffer(pieces[i].data(), pieces[i].size());
    total += pieces[i].size();
  }
  io_result result;
  if (total != 0) result.bytes = socket_.send(buffers, 0, result.ec);
  return result;
}

bool tcp_stream::may_block() noexcept { return std::exchange(block_next_read_, false); }

stamps_given tcp_stream::enable_stamps() noexcept { return {}; }

std::size_t tcp_stream::take_stamps(std::span<transmit_stamp>) noexcept { return 0; }

}  // namespace wire::net
