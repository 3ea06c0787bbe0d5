// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/all_headers.hpp>

#include <algorithm>
#include <string>

namespace tds::protocol {
namespace {

constexpr std::size_t total_length_size = 4;
constexpr std::size_t header_prefix_size = 6;  // HeaderLength and HeaderType
constexpr std::size_t transaction_descriptor_size = 12;
constexpr std::size_t trace_activity_size = 20;
// Each header type can come once; the type has 16 bits, and nobody knows more than a handful.
constexpr std::size_t max_unknown_headers = 64;

// A text counted in bytes.
bytes::ucs2_view read_counted(bytes::reader& in, const char* field) {
  const auto size = in.u16(field);
  if (size % 2 != 0) in.fail(errc::bad_length, field);
  return in.ucs2(size / 2U, field);
}

bool write_counted(bytes::writer& out, bytes::ucs2_view text) { return out.us_varbyte(text.raw()); }

query_notifications_header read_query_notifications(bytes::reader& in) {
  query_notifications_header header;
  header.notify_id = read_counted(in, "notify_id");
  header.ssb_deployment = read_counted(in, "ssb_deployment");
  if (in.ok() && in.remaining() != 0) header.notify_timeout = in.u32("notify_timeout");
  return header;
}

transaction_descriptor_header read_transaction_descriptor(bytes::reader& in) {
  transaction_descriptor_header header;
  header.transaction_descriptor = in.u64("transaction_descriptor");
  header.outstanding_request_count = in.u32("outstanding_request_count");
  return header;
}

trace_activity_header read_trace_activity(bytes::reader& in) {
  trace_activity_header header;
  const auto id = in.bytes(header.activity_id.size(), "guid_activityid");
  std::ranges::copy(id, header.activity_id.begin());
  header.activity_sequence = in.u32("activity_sequence");
  return header;
}

void read_data(bytes::reader& in, header_type type, all_headers& headers) {
  switch (type) {
    case header_type::query_notifications:
      if (headers.query_notifications) return in.fail(errc::bad_value, "header_type");
      headers.query_notifications = read_query_notifications(in);
      return;
    case header_type::transaction_descriptor:
      if (headers.transaction_descriptor) return in.fail(errc::bad_value, "header_type");
      headers.transaction_descriptor = read_transaction_descriptor(in);
      return;
    case header_type::trace_activity:
      if (headers.trace_activity) return in.fail(errc::bad_value, "header_type");
      headers.trace_activity = read_trace_activity(in);
      return;
  }
  if (headers.unknown.size() == max_unknown_headers) return in.fail(errc::limit_exceeded, "header_type");
  headers.unknown.push_back({static_cast<std::uint16_t>(type), in.bytes(in.remaining(), "header_data")});
}

void read_header(bytes::reader& in, all_headers& headers) {
  const auto length = in.u32("header_length");
  const auto type = static_cast<header_type>(in.u16("header_type"));
  in.meaning([&] { return std::string{name_of(type)}; });
  if (in.ok() && (length < header_prefix_size || length - header_prefix_size > in.remaining())) {
    in.fail_at(errc::bad_length, "header_length", in.offset() - header_prefix_size);
  }
  if (!in.ok()) return;
  auto data = in.sub(length - header_prefix_size, "header_data");
  read_data(data, type, headers);
  if (data.ok() && data.remaining() != 0) data.fail(errc::bad_length, "header_length");
  in.adopt_failure(data);
}

std::size_t size_of(const query_notifications_header& header) {
  return 4 + header.notify_id.raw().size() + header.ssb_deployment.raw().size() +
         (header.notify_timeout ? 4U : 0U);
}

void write_prefix(bytes::writer& out, std::size_t data_size, header_type type) {
  out.u32(static_cast<std::uint32_t>(header_prefix_size + data_size));
  out.u16(static_cast<std::uint16_t>(type));
}

}  // namespace

all_headers read_all_headers(bytes::reader& in) {
  all_headers headers;
  const std::size_t start = in.offset();
  const auto total = in.u32("total_length");
  if (in.ok() && total < total_length_size) in.fail_at(errc::bad_length, "total_length", start);
  if (!in.ok()) return headers;
  auto list = in.sub(total - total_length_size, "total_length");
  while (in.ok() && list.ok() && list.remaining() != 0) read_header(list, headers);
  in.adopt_failure(list);
  return headers;
}

bool write_all_headers(bytes::writer& out, const all_headers& headers) {
  const std::size_t start = out.size();
  bool fits = true;
  out.u32(0);
  if (const auto& header = headers.transaction_descriptor) {
    write_prefix(out, transaction_descriptor_size, header_type::transaction_descriptor);
    out.u64(header->transaction_descriptor);
    out.u32(header->outstanding_request_count);
  }
  if (const auto& header = headers.query_notifications) {
    write_prefix(out, size_of(*header), header_type::query_notifications);
    fits = write_counted(out, header->notify_id) && fits;
    fits = write_counted(out, header->ssb_deployment) && fits;
    if (header->notify_timeout) out.u32(*header->notify_timeout);
  }
  if (const auto& header = headers.trace_activity) {
    write_prefix(out, trace_activity_size, header_type::trace_activity);
    out.bytes(header->activity_id);
    out.u32(header->activity_sequence);
  }
  for (const auto& header : headers.unknown) {
    write_prefix(out, header.data.size(), static_cast<header_type>(header.type));
    out.bytes(header.data);
  }
  out.patch_le(start, static_cast<std::uint32_t>(out.size() - start));
  return fits;
}

std::string_view name_of(header_type type) noexcept {
  switch (type) {
    case header_type::query_notifications:
      return "QUERY_NOTIFICATIONS";
    case header_type::transaction_descriptor:
      return "TRANSACTION_DESCRIPTOR";
    case header_type::trace_activity:
      return "TRACE_ACTIVITY";
  }
  return "unknown";
}

}  // namespace tds::protocol
