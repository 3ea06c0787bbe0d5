// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/detail/span_bio.hpp>

#include <algorithm>
#include <cstring>
#include <new>

namespace tds::tls::detail {

namespace {

span_io& io_of(BIO* bio) { return *static_cast<span_io*>(BIO_get_data(bio)); }

int read(BIO* bio, char* to, std::size_t size, std::size_t* got) {
  auto& io = io_of(bio);
  BIO_clear_retry_flags(bio);
  const std::size_t count = std::min(size, io.input.size());
  io.missing = size - count;
  *got = count;
  if (count == 0) {
    BIO_set_retry_read(bio);
    return 0;
  }
  std::memcpy(to, io.input.data(), count);
  io.input = io.input.subspan(count);
  return 1;
}

// An exception must not pass through OpenSSL's frames.
int write(BIO* bio, const char* from, std::size_t size, std::size_t* put) noexcept {
  auto& io = io_of(bio);
  BIO_clear_retry_flags(bio);
  *put = 0;
  if (io.output == nullptr) return 0;
  try {
    const auto* first = reinterpret_cast<const std::uint8_t*>(from);
    io.output->insert(io.output->end(), first, first + size);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  *put = size;
  return 1;
}

long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

BIO_METHOD* make_method() {
  BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tds span");
  if (method != nullptr) {
    BIO_meth_set_read_ex(method, read);
    BIO_meth_set_write_ex(method, write);
    BIO_meth_set_ctrl(method, control);
  }
  return method;
}

}  // namespace

bio_ptr make_span_bio(span_io& io) {
  static BIO_METHOD* const method = make_method();  // for the life of the process, as OpenSSL's own are
  bio_ptr bio{method != nullptr ? BIO_new(method) : nullptr};
  if (bio) {
    BIO_set_data(bio.get(), &io);
    BIO_set_init(bio.get(), 1);
  }
  return bio;
}

}  // namespace tds::tls::detail
