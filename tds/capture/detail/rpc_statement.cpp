// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/rpc_statement.hpp>
#include <tds/protocol/types/type_info.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace tds::capture::detail {
namespace {

using protocol::length_kind;
using protocol::tds_version;

/// A procedure that has a number (MS-TDS 2.2.6.6, ProcID), and which of its parameters is SQL text.
struct numbered {
  std::string_view name;
  int statement = -1;
};

constexpr std::array<numbered, 16> procedures{{{"unknown"},
                                               {"sp_cursor"},
                                               {"sp_cursoropen", 1},
                                               {"sp_cursorprepare", 2},
                                               {"sp_cursorexecute"},
                                               {"sp_cursorprepexec", 3},
                                               {"sp_cursorunprepare"},
                                               {"sp_cursorfetch"},
                                               {"sp_cursoroption"},
                                               {"sp_cursorclose"},
                                               {"sp_executesql", 0},
                                               {"sp_prepare", 2},
                                               {"sp_execute"},
                                               {"sp_prepexec", 2},
                                               {"sp_prepexecrpc"},
                                               {"sp_unprepare"}}};

constexpr std::uint16_t by_number = 0xFFFF;
constexpr std::uint16_t null_ushort = 0xFFFF;

const numbered* named(std::string_view name) noexcept {
  const auto found = std::ranges::find(procedures, name, &numbered::name);
  return found == procedures.end() ? nullptr : &*found;
}

/// The bytes of a parameter's value as far as they are there; of PLP the first chunk.
bytes::byte_span value_of(bytes::reader& in, const protocol::type_info& type) {
  std::size_t size = 0;
  switch (type.length) {
    case length_kind::fixed:
      size = type.max_length;
      break;
    case length_kind::byte:
      size = in.u8("length");
      break;
    case length_kind::ushort:
      size = in.u16("length");
      if (size == null_ushort) size = 0;
      break;
    case length_kind::variant:
    case length_kind::text: {
      const auto length = in.u32("length");
      size = length == 0xFFFF'FFFFU ? 0 : length;
      break;
    }
    case length_kind::plp: {
      constexpr std::uint64_t plp_null = ~std::uint64_t{0};
      if (in.u64("length") == plp_null || !in.ok()) return {};
      size = in.u32("chunk_length");
      const auto first = in.bytes(std::min(size, in.remaining()), "chunk");
      for (std::size_t more = first.size() < size ? 0 : in.u32("chunk_length"); more != 0 && in.ok();
           more = in.u32("chunk_length")) {
        in.skip(more, "chunk");
      }
      return size == 0 ? bytes::byte_span{} : first;
    }
  }
  return in.bytes(std::min(size, in.remaining()), "value");
}

std::string statement_in(bytes::reader& in, int which, tds_version version) {
  for (int i = 0;; ++i) {
    (void)in.b_varchar("ParamName");
    (void)in.u8("StatusFlags");
    const auto type = protocol::read_type_info(in, version);
    if (!in.ok()) return {};
    const auto value = value_of(in, type);
    if (i == which) {
      using protocol::data_type;
      const bool wide =
          type.type == data_type::nvarchar || type.type == data_type::ntext || type.type == data_type::nchar;
      return wide ? bytes::ucs2_view{value}.utf8() : std::string(value.begin(), value.end());
    }
    if (!in.ok()) return {};
  }
}

}  // namespace

request_text rpc_text(bytes::byte_span body, tds_version version) {
  bytes::reader in{body};
  request_text out;
  const auto length = in.u16("NameLenProcID");
  const numbered* procedure = nullptr;
  if (length == by_number) {
    const auto id = in.u16("ProcID");
    procedure = id < procedures.size() ? &procedures.at(id) : procedures.data();
    out.procedure = procedure->name;
  } else {
    out.procedure = in.ucs2(length, "ProcName").utf8();
    procedure = named(out.procedure);
  }
  (void)in.u16("OptionFlags");
  if (in.ok() && procedure != nullptr && procedure->statement >= 0) {
    out.statement = statement_in(in, procedure->statement, version);
  }
  return out;
}

}  // namespace tds::capture::detail
