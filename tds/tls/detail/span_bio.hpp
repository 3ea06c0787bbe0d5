// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/writer.hpp>
#include <tds/tls/detail/openssl.hpp>

#include <cstddef>

namespace tds::tls::detail {

/// Where OpenSSL reads from and writes to: the caller's own bytes, for the length of one call. A BIO_s_mem
/// would copy both directions once more and keep memory of its own.
struct span_io {
  bytes::byte_span input{};        ///< what is left to read; a read past its end says "retry"
  bytes::buffer* output{nullptr};  ///< what is written is appended here
  std::size_t missing{};           ///< how much less than it asked for the last read yielded
};

/// A BIO over `io`, which must outlive it. Null when OpenSSL is out of memory.
bio_ptr make_span_bio(span_io& io);

}  // namespace tds::tls::detail
