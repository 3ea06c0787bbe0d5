// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/prelogin.hpp>
#include <tds/protocol/prelogin_encryption.hpp>

#include <algorithm>
#include <bitset>
#include <string>

namespace tds::protocol {
namespace {

using bytes::byte_span;

constexpr std::size_t table_entry_size = 5;
constexpr std::size_t version_size = 6;
constexpr std::size_t traceid_size = 36;
// Options may overlap, so their sizes are limited together: otherwise a message of one packet could ask for
// copies of many times its size.
constexpr std::size_t max_raw_bytes = 64U << 10;

template <std::size_t N>
std::array<std::uint8_t, N> read_array(bytes::reader& in, const char* field) {
  std::array<std::uint8_t, N> value{};
  const auto raw = in.bytes(N, field);
  std::ranges::copy(raw, value.begin());
  return value;
}

// The sizes MS-TDS gives an option; every size is right for INSTOPT and for an option not known here.
bool size_is_right(prelogin_option option, std::size_t size) noexcept {
  switch (option) {
    case prelogin_option::version:
      return size == version_size;
    case prelogin_option::encryption:
    case prelogin_option::mars:
    case prelogin_option::fedauthrequired:
      return size == 1;
    case prelogin_option::threadid:
      return size == 0 || size == 4;
    case prelogin_option::traceid:
      return size == 0 || size == traceid_size;
    case prelogin_option::nonceopt:
      return size == 32;
    case prelogin_option::instopt:
    case prelogin_option::terminator:
      break;
  }
  return true;
}

void read_option(bytes::reader in, prelogin_option option, prelogin& message) {
  switch (option) {
    case prelogin_option::version:
      bytes::read_fields(in, message.version.emplace());
      return;
    case prelogin_option::encryption:
      message.encryption = static_cast<prelogin_encryption>(in.u8("b_fencryption"));
      in.meaning([&] { return name_of(*message.encryption); });
      return;
    case prelogin_option::threadid:
      message.has_empty_threadid = in.remaining() == 0;
      if (in.remaining() != 0) message.threadid = in.u32("ul_threadid");
      return;
    case prelogin_option::mars:
      message.mars = in.u8("b_mars");
      in.meaning([&] { return std::string{*message.mars == 0 ? "off" : "on"}; });
      return;
    case prelogin_option::traceid:
      message.has_empty_traceid = in.remaining() == 0;
      if (in.remaining() != 0) {
        auto& trace = message.traceid.emplace();
        trace.connection_id = read_array<16>(in, "guid_connid");
        trace.activity_id = read_array<16>(in, "guid_activityid");
        trace.activity_sequence = in.u32("activity_sequence");
      }
      return;
    case prelogin_option::fedauthrequired:
      message.fedauthrequired = in.u8("b_fedauthrequired");
      return;
    case prelogin_option::nonceopt:
      message.nonceopt = read_array<32>(in, "nonce");
      return;
    case prelogin_option::instopt: {
      const auto raw = in.bytes(in.remaining(), "b_instvalidity");
      message.instopt.emplace(raw.begin(), raw.end());
      return;
    }
    case prelogin_option::terminator:
      break;
  }
  const auto raw = in.bytes(in.remaining(), "pl_option_data");
  message.unknown.push_back({static_cast<std::uint8_t>(option), {raw.begin(), raw.end()}});
}

struct table_entry {
  prelogin_option option;
  std::uint16_t offset;
  std::uint16_t size;
};

// The table up to its TERMINATOR, each token at most once.
class option_table {
 public:
  void read(bytes::reader& in, std::size_t message_size) {
    while (in.ok()) {
      const std::size_t at = in.offset();
      const auto option = static_cast<prelogin_option>(in.u8("pl_option_token"));
      in.meaning([&] { return std::string{name_of(option)}; });
      if (option == prelogin_option::terminator) return;
      const auto offset = in.be<std::uint16_t>("pl_offset");
      const auto size = in.be<std::uint16_t>("pl_option_length");
      if (!in.ok()) return;
      if (seen_.test(static_cast<std::uint8_t>(option))) in.fail_at(errc::bad_value, "pl_option_token", at);
      seen_.set(static_cast<std::uint8_t>(option));
      if (std::size_t{offset} + size > message_size) in.fail_at(errc::bad_offset, "pl_offset", at + 1);
      if (!size_is_right(option, size)) in.fail_at(errc::bad_length, "pl_option_length", at + 3);
      total_ += size;
      if (total_ > max_raw_bytes) in.fail_at(errc::limit_exceeded, "pl_option_length", at + 3);
      if (in.ok()) entries_[count_++] = {option, offset, size};
    }
  }
  const table_entry* begin() const noexcept { return entries_.data(); }
  const table_entry* end() const noexcept { return entries_.data() + count_; }

 private:
  std::array<table_entry, 256> entries_{};
  std::size_t count_ = 0;
  std::size_t total_ = 0;
  std::bitset<256> seen_{};
};

// What is to be written: each option with its bytes, in order.
class option_list {
 public:
  void add(prelogin_option option, byte_span data) { items_.push_back({option, {data.begin(), data.end()}}); }
  void add(prelogin_option option, std::uint8_t value) { add(option, byte_span{&value, 1}); }
  /// For options of several fields: what `write` appends.
  template <class Write>
  void add_with(prelogin_option option, Write write) {
    bytes::writer to{items_.emplace_back(item{option, {}}).data};
    write(to);
  }

  bool write(bytes::writer& out) const {
    std::size_t offset = items_.size() * table_entry_size + 1;
    for (const auto& each : items_) {
      offset += each.data.size();
      if (offset > 0xFFFF) return false;
    }
    offset = items_.size() * table_entry_size + 1;
    for (const auto& each : items_) {
      out.u8(static_cast<std::uint8_t>(each.option));
      out.be(static_cast<std::uint16_t>(offset));
      out.be(static_cast<std::uint16_t>(each.data.size()));
      offset += each.data.size();
    }
    out.u8(static_cast<std::uint8_t>(prelogin_option::terminator));
    for (const auto& each : items_) out.bytes(each.data);
    return true;
  }

 private:
  struct item {
    prelogin_option option;
    bytes::buffer data;
  };
  std::vector<item> items_;
};

void add_trace(option_list& list, const prelogin& message) {
  if (message.traceid) {
    list.add_with(prelogin_option::traceid, [&](bytes::writer& to) {
      to.bytes(message.traceid->connection_id);
      to.bytes(message.traceid->activity_id);
      to.u32(message.traceid->activity_sequence);
    });
  } else if (message.has_empty_traceid) {
    list.add(prelogin_option::traceid, byte_span{});
  }
}

}  // namespace

prelogin read_prelogin(bytes::reader& in) {
  prelogin message;
  const std::size_t origin = in.offset();
  const std::size_t start = in.position();
  auto ahead = in;
  ahead.annotate(nullptr);
  const byte_span whole = ahead.rest();

  option_table table;
  table.read(in, whole.size());
  if (!in.ok()) return {};
  message.version_first = table.begin() != table.end() && table.begin()->option == prelogin_option::version;
  std::size_t used = in.position() - start;
  for (const auto& entry : table) {
    bytes::reader data{whole.subspan(entry.offset, entry.size), origin + entry.offset};
    data.annotate(in.notes());
    if (in.notes() != nullptr) in.notes()->open(origin + entry.offset, std::string{name_of(entry.option)});
    read_option(data, entry.option, message);
    if (in.notes() != nullptr) in.notes()->close();
    used = std::max(used, std::size_t{entry.offset} + entry.size);
  }
  auto* const notes = in.notes();
  in.annotate(nullptr);
  in.skip(start + used - in.position(), "pl_option_data");
  in.annotate(notes);
  return message;
}

bool write_prelogin(bytes::writer& out, const prelogin& message) {
  option_list list;
  list.add_with(prelogin_option::version, [&](bytes::writer& to) {
    (void)bytes::write_fields(to, message.version.value_or(prelogin_version{}));  // no counted fields
  });
  if (message.encryption) {
    list.add(prelogin_option::encryption, static_cast<std::uint8_t>(*message.encryption));
  }
  if (message.instopt) list.add(prelogin_option::instopt, *message.instopt);
  if (message.threadid) {
    list.add_with(prelogin_option::threadid, [&](bytes::writer& to) { to.u32(*message.threadid); });
  } else if (message.has_empty_threadid) {
    list.add(prelogin_option::threadid, byte_span{});
  }
  if (message.mars) list.add(prelogin_option::mars, *message.mars);
  add_trace(list, message);
  if (message.fedauthrequired) list.add(prelogin_option::fedauthrequired, *message.fedauthrequired);
  if (message.nonceopt) list.add(prelogin_option::nonceopt, *message.nonceopt);
  for (const auto& raw : message.unknown) {
    const auto option = static_cast<prelogin_option>(raw.token);
    if (option == prelogin_option::terminator) return false;
    list.add(option, raw.data);
  }
  return list.write(out);
}

std::string_view prelogin::instance_name() const noexcept {
  if (!instopt) return {};
  const std::string_view text{reinterpret_cast<const char*>(instopt->data()), instopt->size()};
  return text.substr(0, text.find('\0'));
}

void prelogin::set_instance_name(std::string_view name) {
  instopt.emplace(name.begin(), name.end()).push_back(0);
}

bool prelogin::instance_mismatch() const noexcept {
  return instopt && instopt->size() == 1 && instopt->front() == 1;
}

std::string_view name_of(prelogin_option option) noexcept {
  switch (option) {
    case prelogin_option::version:
      return "VERSION";
    case prelogin_option::encryption:
      return "ENCRYPTION";
    case prelogin_option::instopt:
      return "INSTOPT";
    case prelogin_option::threadid:
      return "THREADID";
    case prelogin_option::mars:
      return "MARS";
    case prelogin_option::traceid:
      return "TRACEID";
    case prelogin_option::fedauthrequired:
      return "FEDAUTHREQUIRED";
    case prelogin_option::nonceopt:
      return "NONCEOPT";
    case prelogin_option::terminator:
      return "TERMINATOR";
  }
  return "unknown";
}

}  // namespace tds::protocol
