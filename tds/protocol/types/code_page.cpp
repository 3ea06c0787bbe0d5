// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/code_page.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace tds::protocol {
namespace {

using enum code_page;
constexpr code_page none{0};

struct id_range {
  std::size_t first;
  std::size_t last;
  code_page page;
};

// The sort ids of "SQL Server collation name" in the Transact-SQL reference and of sp_helpsort.
constexpr auto sort_ids = std::to_array<id_range>({
    // Binary, dictionary, no case, preference, no accents, binary2.
    {30, 35, cp437},
    {40, 45, cp850},
    // SQL_1xCompat.
    {49, 49, cp850},
    // SQL_Latin1_General_CP1: what most servers have.
    {50, 54, cp1252},
    // SQL_AltDiction, SQL_Scandinavian.
    {55, 61, cp850},
    // Latin1_General, Danish_Norwegian, Finnish_Swedish, Icelandic.
    {71, 75, cp1252},
    // Latin1_General, Czech, Hungarian, Polish, Romanian, Croatian, Slovak, Slovenian.
    {80, 98, cp1250},
    // Latin1_General, Ukrainian.
    {104, 108, cp1251},
    // Latin1_General, SQL_MixDiction, SQL_AltDiction, SQL_AltDiction2, no accents.
    {112, 114, cp1253},
    {120, 122, cp1253},
    {124, 124, cp1253},
    {128, 130, cp1254},
    {136, 138, cp1255},
    {144, 146, cp1256},
    // Latin1_General, Estonian, Latvian, Lithuanian.
    {152, 160, cp1257},
    // Danish, two of Swedish, Icelandic, each with upper case first.
    {183, 186, cp1252},
    // Binary and no case, then case sensitive.
    {192, 193, cp932},
    {194, 195, cp949},
    {196, 197, cp950},
    {198, 199, cp936},
    {200, 200, cp932},
    {201, 201, cp949},
    {202, 202, cp950},
    {203, 203, cp936},
    {204, 206, cp874},
    // SQL_EBCDIC: sorted as on a mainframe, stored as on Windows.
    {210, 217, cp1252},
});

constexpr auto sort_id_pages = [] {
  std::array<code_page, 256> table{};
  for (const auto& range : sort_ids) {
    for (std::size_t id = range.first; id <= range.last; ++id) table[id] = range.page;
  }
  return table;
}();

// Primary languages, the low 10 bits of a locale's identifier, by what all of their countries share.
// Languages that are not here have no character set besides Unicode.
constexpr auto languages = std::to_array<std::pair<std::size_t, code_page>>({
    {0x01, cp1256},  // ar
    {0x02, cp1251},  // bg
    {0x03, cp1252},  // ca
    {0x04, cp950},   // zh
    {0x05, cp1250},  // cs
    {0x06, cp1252},  // da
    {0x07, cp1252},  // de
    {0x08, cp1253},  // el
    {0x09, cp1252},  // en
    {0x0A, cp1252},  // es
    {0x0B, cp1252},  // fi
    {0x0C, cp1252},  // fr
    {0x0D, cp1255},  // he
    {0x0E, cp1250},  // hu
    {0x0F, cp1252},  // is
    {0x10, cp1252},  // it
    {0x11, cp932},   // ja
    {0x12, cp949},   // ko
    {0x13, cp1252},  // nl
    {0x14, cp1252},  // no
    {0x15, cp1250},  // pl
    {0x16, cp1252},  // pt
    {0x17, cp1252},  // rm
    {0x18, cp1250},  // ro
    {0x19, cp1251},  // ru
    {0x1A, cp1250},  // hr, sr, bs
    {0x1B, cp1250},  // sk
    {0x1C, cp1250},  // sq
    {0x1D, cp1252},  // sv
    {0x1E, cp874},   // th
    {0x1F, cp1254},  // tr
    {0x20, cp1256},  // ur
    {0x21, cp1252},  // id
    {0x22, cp1251},  // uk
    {0x23, cp1251},  // be
    {0x24, cp1250},  // sl
    {0x25, cp1257},  // et
    {0x26, cp1257},  // lv
    {0x27, cp1257},  // lt
    {0x28, cp1251},  // tg
    {0x29, cp1256},  // fa
    {0x2A, cp1258},  // vi
    {0x2B, cp1252},  // hy
    {0x2C, cp1254},  // az
    {0x2D, cp1252},  // eu
    {0x2E, cp1252},  // hsb, dsb
    {0x2F, cp1251},  // mk
    {0x32, cp1252},  // tn
    {0x34, cp1252},  // xh
    {0x35, cp1252},  // zu
    {0x36, cp1252},  // af
    {0x37, cp1252},  // ka
    {0x38, cp1252},  // fo
    {0x3B, cp1252},  // se
    {0x3C, cp1252},  // ga
    {0x3E, cp1252},  // ms
    {0x3F, cp1251},  // kk
    {0x40, cp1251},  // ky
    {0x41, cp1252},  // sw
    {0x42, cp1250},  // tk
    {0x43, cp1254},  // uz
    {0x44, cp1251},  // tt
    {0x50, cp1251},  // mn
    {0x52, cp1252},  // cy
    {0x56, cp1252},  // gl
    {0x5D, cp1252},  // iu
    {0x5E, cp1252},  // am
    {0x5F, cp1252},  // tzm
    {0x62, cp1252},  // fy
    {0x64, cp1252},  // fil
    {0x68, cp1252},  // ha
    {0x6A, cp1252},  // yo
    {0x6B, cp1252},  // quz
    {0x6C, cp1252},  // nso
    {0x6D, cp1251},  // ba
    {0x6E, cp1252},  // lb
    {0x6F, cp1252},  // kl
    {0x70, cp1252},  // ig
    {0x78, cp1252},  // ii
    {0x7A, cp1252},  // arn
    {0x7C, cp1252},  // moh
    {0x7E, cp1252},  // br
    {0x80, cp1256},  // ug
    {0x82, cp1252},  // oc
    {0x83, cp1252},  // co
    {0x84, cp1252},  // gsw
    {0x85, cp1251},  // sah
    {0x86, cp1252},  // quc
    {0x87, cp1252},  // rw
    {0x88, cp1252},  // wo
    {0x8C, cp1256},  // prs
});

constexpr auto language_pages = [] {
  std::array<code_page, 0x100> table{};
  for (const auto& [language, page] : languages) table[language] = page;
  return table;
}();

// Where a country writes its language with another script than the table above says.
code_page page_of_locale(std::uint32_t locale) noexcept {
  switch (locale) {
    case 0x0004:  // Chinese, simplified
    case 0x0804:  // People's Republic
    case 0x1004:  // Singapore
      return cp936;
    case 0x0C1A:  // Serbian, Cyrillic: Serbia and Montenegro
    case 0x1C1A:  // Bosnia and Herzegovina
    case 0x281A:  // Serbia
    case 0x301A:  // Montenegro
    case 0x201A:  // Bosnian, Cyrillic
    case 0x082C:  // Azeri, Cyrillic
    case 0x0843:  // Uzbek, Cyrillic
      return cp1251;
    default:
      break;
  }
  const std::uint32_t language = locale & 0x3FFU;
  return language < language_pages.size() ? language_pages[language] : none;
}

}  // namespace

std::string_view name_of(code_page page) noexcept {
  switch (page) {
    case cp437:
      return "cp437";
    case cp850:
      return "cp850";
    case cp874:
      return "cp874";
    case cp932:
      return "cp932";
    case cp936:
      return "cp936";
    case cp949:
      return "cp949";
    case cp950:
      return "cp950";
    case cp1250:
      return "cp1250";
    case cp1251:
      return "cp1251";
    case cp1252:
      return "cp1252";
    case cp1253:
      return "cp1253";
    case cp1254:
      return "cp1254";
    case cp1255:
      return "cp1255";
    case cp1256:
      return "cp1256";
    case cp1257:
      return "cp1257";
    case cp1258:
      return "cp1258";
    case utf8:
      return "utf8";
  }
  return "unknown";
}

result<code_page> code_page_of(const collation& value) noexcept {
  if (value.is_utf8()) return utf8;
  // Bits 16 to 19 of the LCID choose an order within the locale, not a character set.
  const code_page page =
      value.sort_id != 0 ? sort_id_pages[value.sort_id] : page_of_locale(value.lcid() & 0xFFFFU);
  if (page == none) return make_error_code(errc::unknown_code_page);
  return page;
}

}  // namespace tds::protocol
