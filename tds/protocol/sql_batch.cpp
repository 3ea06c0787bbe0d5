// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/sql_batch.hpp>

namespace tds::protocol {
namespace {

bool write_headers(bytes::writer& out, tds_version version, const all_headers& headers) {
  return version < tds_version::v7_2 || write_all_headers(out, headers);
}

}  // namespace

sql_batch read_sql_batch(bytes::reader& in, tds_version version) {
  sql_batch batch;
  if (version >= tds_version::v7_2) batch.headers = read_all_headers(in);
  if (in.remaining() % 2 != 0) in.fail_at(errc::bad_length, "sql_text", in.offset() + in.remaining() - 1);
  batch.sql_text = in.ucs2(in.remaining() / 2, "sql_text");
  return batch;
}

bool write_sql_batch(bytes::writer& out, tds_version version, const all_headers& headers,
                     bytes::ucs2_view sql_text) {
  const bool fits = write_headers(out, version, headers);
  out.ucs2(sql_text);
  return fits;
}

bool write_sql_batch(bytes::writer& out, tds_version version, const all_headers& headers,
                     std::string_view sql_utf8) {
  const bool fits = write_headers(out, version, headers);
  out.ucs2_from_utf8(sql_utf8);
  return fits;
}

}  // namespace tds::protocol
