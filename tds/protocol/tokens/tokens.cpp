// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/tokens.hpp>

namespace tds::protocol {

std::string_view name_of(token_type type) noexcept {
  switch (type) {
    case token_type::returnstatus:
      return "RETURNSTATUS";
    case token_type::offset:
      return "OFFSET";
    case token_type::colmetadata:
      return "COLMETADATA";
    case token_type::altmetadata:
      return "ALTMETADATA";
    case token_type::dataclassification:
      return "DATACLASSIFICATION";
    case token_type::tabname:
      return "TABNAME";
    case token_type::colinfo:
      return "COLINFO";
    case token_type::order:
      return "ORDER";
    case token_type::error:
      return "ERROR";
    case token_type::info:
      return "INFO";
    case token_type::returnvalue:
      return "RETURNVALUE";
    case token_type::loginack:
      return "LOGINACK";
    case token_type::featureextack:
      return "FEATUREEXTACK";
    case token_type::row:
      return "ROW";
    case token_type::nbcrow:
      return "NBCROW";
    case token_type::altrow:
      return "ALTROW";
    case token_type::envchange:
      return "ENVCHANGE";
    case token_type::sessionstate:
      return "SESSIONSTATE";
    case token_type::sspi:
      return "SSPI";
    case token_type::fedauthinfo:
      return "FEDAUTHINFO";
    case token_type::done:
      return "DONE";
    case token_type::doneproc:
      return "DONEPROC";
    case token_type::doneinproc:
      return "DONEINPROC";
  }
  return "unknown";
}

}  // namespace tds::protocol
