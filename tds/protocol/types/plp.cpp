// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/plp.hpp>
#include <tds/protocol/types/scan_cell.hpp>

#include <algorithm>

namespace tds::protocol {

void write_plp(bytes::writer& out, bytes::byte_span payload, plp_total total, std::size_t chunk) {
  const std::size_t step = std::clamp<std::size_t>(chunk, 1, detail::max_longlen);
  out.u64(total == plp_total::known ? payload.size() : plp_unknown);
  while (!payload.empty()) {
    const std::size_t size = std::min(step, payload.size());
    out.u32(static_cast<std::uint32_t>(size));
    out.bytes(payload.first(size));
    payload = payload.subspan(size);
  }
  out.u32(0);
}

void write_plp_null(bytes::writer& out) { out.u64(plp_null); }

void append_chunks(std::vector<std::uint8_t>& out, bytes::byte_span chunks) {
  out.reserve(out.size() + chunks.size());
  while (chunks.size() > 4) {
    const std::size_t size = std::min<std::size_t>(detail::le32(chunks.data()), chunks.size() - 4);
    out.insert(out.end(), chunks.begin() + 4, chunks.begin() + 4 + static_cast<std::ptrdiff_t>(size));
    chunks = chunks.subspan(4 + size);
  }
}

}  // namespace tds::protocol
