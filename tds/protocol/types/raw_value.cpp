// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/plp.hpp>
#include <tds/protocol/types/raw_value.hpp>
#include <tds/protocol/types/scan_cell.hpp>

namespace tds::protocol {
namespace {

constexpr std::size_t total_size = 8;
constexpr std::size_t chunk_header = 4;

}  // namespace

void value_scanner::begin(const type_info& type, std::size_t offset) noexcept {
  *this = value_scanner{};
  type_ = &type;
  at_ = offset;
}

scan_state value_scanner::scan(bytes::byte_span row, std::size_t limit) noexcept {
  if (type_->length == length_kind::plp) return scan_plp(row, limit);
  return detail::scan_cell(*type_, row, at_, limit, found_, error_);
}

// Every length is judged before the bytes behind it are waited for.
scan_state value_scanner::scan_plp(bytes::byte_span row, std::size_t limit) noexcept {
  if (!header_read_) {
    if (row.size() - at_ < total_size) return scan_state::incomplete;
    announced_ = detail::le64(row.data() + at_);
    const bool known = announced_ < plp_unknown;
    if ((known && announced_ > limit) || at_ > detail::max_row - total_size)
      return fail(errc::limit_exceeded);
    at_ += total_size;
    start_ = at_;
    header_read_ = true;
    if (announced_ == plp_null) {
      found_ = {static_cast<std::uint32_t>(at_), 0, cell::kind::null};
      return scan_state::complete;
    }
  }
  const std::uint64_t total = announced_ == plp_unknown ? limit : announced_;
  for (;;) {
    if (row.size() - at_ < chunk_header) return scan_state::incomplete;
    const std::uint32_t chunk = detail::le32(row.data() + at_);
    if (chunk == 0) return finish_plp();
    if (chunk > limit - payload_) return fail(errc::limit_exceeded);
    if (chunk > total - payload_) return fail(errc::bad_length);
    if (std::uint64_t{at_} + 2 * chunk_header + chunk > detail::max_row) return fail(errc::limit_exceeded);
    if (row.size() - at_ - chunk_header < chunk) return scan_state::incomplete;
    at_ += chunk_header + chunk;
    payload_ += chunk;
    ++chunks_;
  }
}

scan_state value_scanner::finish_plp() noexcept {
  if (announced_ != plp_unknown && payload_ != announced_) return fail(errc::bad_length);
  if (chunks_ <= 1) {
    const std::size_t first = start_ + (chunks_ == 1 ? chunk_header : 0);
    found_ = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(payload_), cell::kind::plain};
  } else {
    found_ = {static_cast<std::uint32_t>(start_), static_cast<std::uint32_t>(at_ - start_),
              cell::kind::chunked};
  }
  at_ += chunk_header;
  return scan_state::complete;
}

scan_state value_scanner::fail(errc error) noexcept {
  error_ = error;
  return scan_state::bad;
}

}  // namespace tds::protocol
