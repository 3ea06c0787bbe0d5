// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/envchange.hpp>
#include <tds/server/answer.hpp>
#include <tds/server/sql/expression.hpp>
#include <tds/server/sql/lexer.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tds::serving {

/// Reads a batch of the statements that this server knows and puts its answer together. Not a SQL engine:
///
///   SELECT expression [[AS] name], ...          see expression_reader
///   SELECT [TOP n] * FROM table                 see answer_rowset; 1000 rows without TOP
///   WAITFOR DELAY 'hh:mm:ss.mmm'
///   PRINT text
///   RAISERROR(text, severity, state) [WITH ...]  from severity 20 on the connection ends behind it
///   THROW number, text, state                   the rest of the batch is not run
///   USE database, SET LANGUAGE name, SET anything else
///   BEGIN TRAN, COMMIT, ROLLBACK, SAVE TRAN     descriptors come and go, nothing else happens
///   IF @@TRANCOUNT > n statement
///
/// one after the other, with or without semicolons. Anything else is an error 50000 of severity 16 and the
/// end of the batch; what stood before it has been answered.
class batch_reader {
 public:
  batch_reader(std::string_view sql, const statement_context& context, answer& out) noexcept
      : in_(sql), context_(context), out_(out) {}

  void run();

  /// The same text gives the same answer again, and has no effect on the session.
  bool repeatable() const noexcept { return repeatable_; }

 private:
  bool statement();
  bool select();
  bool select_rows(std::uint64_t rows);
  bool select_list();
  bool waitfor();
  bool print();
  bool raiserror();
  bool throw_statement();
  bool use();
  bool set();
  bool transaction(std::string_view word);
  bool conditional();

  std::optional<typed_value> expression();
  std::optional<std::string> text_expression();
  std::optional<std::int64_t> integer_expression();
  void note(const expression_reader& reader);
  std::string alias();
  bool unknown();
  bool wrong(std::string_view what);
  void change_environment(protocol::envchange_type type, std::string& current, std::string now);
  void end_transaction(protocol::envchange_type how);

  lexer in_;
  statement_context context_;
  answer& out_;
  lexeme start_{};  // of the statement at hand
  std::string problem_;
  bool repeatable_ = true;
  int depth_ = 0;
};

}  // namespace tds::serving
