// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/types/type_info.hpp>
#include <tds/protocol/types/value.hpp>
#include <tds/server/long_row.hpp>
#include <tds/server/sql/calendar.hpp>
#include <tds/server/sql/lexer.hpp>
#include <tds/session/server_environment.hpp>
#include <tds/session/server_profile.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tds::serving {

/// Whose statement is being read.
struct statement_context {
  session::server_environment& environment;
  const session::server_profile& profile;
};

/// What an expression comes to.
struct typed_value {
  protocol::type_info type{};
  bool nullable{};
  protocol::value data{};
  /// In place of `data` for what is too long to be made at once; only of max types.
  std::optional<repetition> repeated{};
  /// What `data` is at another moment; only of the clocks.
  protocol::value (*at)(const moment& when) = nullptr;
};

/// Reads and evaluates the expressions that this server knows: literals, NULL, @@VERSION, @@SPID,
/// @@SERVERNAME and a few more, the clocks, REPLICATE, CAST and CONVERT, DB_NAME(), SUSER_SNAME(),
/// APP_NAME(), HOST_NAME().
class expression_reader {
 public:
  expression_reader(lexer& in, const statement_context& context) noexcept : in_(in), context_(context) {}

  /// Nothing for what is not known here or not right; problem() then says so.
  std::optional<typed_value> read();
  /// The same as an integer: what REPLICATE, TOP and RAISERROR count with.
  std::optional<std::int64_t> read_integer();
  /// The same as text.
  std::optional<std::string> read_text();

  const std::string& problem() const noexcept { return problem_; }
  /// False when something was read that is another thing the next time: the clock, the database.
  bool constant() const noexcept { return constant_; }

 private:
  std::optional<typed_value> fail(std::string_view what);
  std::optional<typed_value> number(std::string_view digits, bool negative);
  std::optional<typed_value> function(std::string_view name);
  std::optional<typed_value> clock(std::string_view name);
  std::optional<typed_value> replicate();
  std::optional<typed_value> cast();
  std::optional<typed_value> convert_function();
  std::optional<typed_value> as_type(const typed_value& from, const protocol::type_info& to);
  std::optional<typed_value> variable(std::string_view text);
  typed_value text_value(std::string text, bool wide) const;

  lexer& in_;
  statement_context context_;
  std::string problem_;
  bool constant_ = true;
  int depth_ = 0;
};

}  // namespace tds::serving
