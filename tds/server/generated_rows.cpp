// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/row.hpp>
#include <tds/server/generated_rows.hpp>

#include <utility>

namespace tds::serving {

generated_rows::generated_rows(protocol::metadata_ptr metadata, std::uint64_t count, generator generate,
                               bool compressed)
    : metadata_(std::move(metadata)),
      count_(count),
      generate_(std::move(generate)),
      compressed_(compressed),
      row_(metadata_->columns.size()) {}

bool generated_rows::produce(bytes::buffer& out, std::size_t room) {
  const std::size_t start = out.size();
  while (index_ < count_ && out.size() - start < room) {
    generate_(index_, row_);
    const std::size_t before = out.size();
    bytes::writer to{out};
    const auto written = compressed_ ? protocol::write_nbcrow(to, *metadata_, row_)
                                     : protocol::write_row(to, *metadata_, row_);
    if (!written) {
      out.resize(before);
      stop();
      break;
    }
    ++index_;
  }
  return index_ < count_;
}

}  // namespace tds::serving
