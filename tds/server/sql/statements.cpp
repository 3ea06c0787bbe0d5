// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/envchange.hpp>
#include <tds/server/sql/calendar.hpp>
#include <tds/server/sql/rowset.hpp>
#include <tds/server/sql/select_row.hpp>
#include <tds/server/sql/statements.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tds::serving {

using protocol::envchange_type;

namespace {

constexpr std::int32_t user_error = 50000;
constexpr std::uint8_t user_severity = 16;
constexpr std::uint8_t first_error_severity = 11;
constexpr std::uint8_t fatal_severity = 20;
constexpr std::uint64_t rows_without_top = 1000;
constexpr std::size_t most_columns = 4096;
constexpr std::size_t quoted_characters = 60;
constexpr int deepest_if = 32;

// Where the next statement begins when nothing separates it from the one before.
bool starts_statement(const lexeme& at) {
  static constexpr std::array<std::string_view, 16> words{
      "SELECT", "SET",      "PRINT", "RAISERROR", "THROW", "WAITFOR", "USE",     "BEGIN",
      "COMMIT", "ROLLBACK", "SAVE",  "IF",        "EXEC",  "EXECUTE", "DECLARE", "INSERT"};
  return std::any_of(words.begin(), words.end(), [&at](auto word) { return at.is_word(word); });
}

// Words that go on with a SELECT in ways not known here, so no name for its column.
bool continues_select(const lexeme& at) {
  static constexpr std::array<std::string_view, 10> words{"FROM",  "WHERE",  "UNION",     "INTO", "ORDER",
                                                          "GROUP", "HAVING", "INTERSECT", "FOR",  "EXCEPT"};
  return std::any_of(words.begin(), words.end(), [&at](auto word) { return at.is_word(word); });
}

bool is_name(const lexeme& at) { return at.kind == lexeme_kind::word || at.kind == lexeme_kind::name; }

// The first characters of what was not understood, on one line.
std::string quoted(std::string_view sql) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < sql.size() && characters < quoted_characters; ++characters) {
    do {
      ++end;
    } while (end < sql.size() && (static_cast<unsigned char>(sql[end]) & 0xC0U) == 0x80U);
  }
  std::string out{sql.substr(0, end)};
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

void batch_reader::run() {
  for (;;) {
    while (in_.take(';')) {
    }
    if (in_.peek().kind == lexeme_kind::end) return;
    depth_ = 0;
    if (!statement()) return;
  }
}

bool batch_reader::unknown() {
  const std::size_t start = start_.offset;
  const std::string reason = problem_.empty() ? "" : " (" + problem_ + ')';
  out_.error(
      "The embedded server does not know this statement" + reason + ": '" + quoted(in_.from(start)) + '\'',
      in_.line_of(start));
  return false;
}

bool batch_reader::wrong(std::string_view what) {
  if (problem_.empty()) problem_ = what;
  return unknown();
}

bool batch_reader::statement() {
  start_ = in_.peek();
  problem_.clear();
  if (in_.take_word("SELECT")) return select();
  if (in_.take_word("WAITFOR")) return waitfor();
  if (in_.take_word("PRINT")) return print();
  if (in_.take_word("RAISERROR")) return raiserror();
  if (in_.take_word("THROW")) return throw_statement();
  if (in_.take_word("USE")) return use();
  if (in_.take_word("SET")) return set();
  if (in_.take_word("IF")) return conditional();
  for (const std::string_view word : {"BEGIN", "COMMIT", "ROLLBACK", "SAVE"}) {
    if (in_.take_word(word)) return transaction(word);
  }
  return unknown();
}

void batch_reader::note(const expression_reader& reader) {
  repeatable_ = repeatable_ && reader.constant();
  if (problem_.empty()) problem_ = reader.problem();
}

std::optional<typed_value> batch_reader::expression() {
  expression_reader reader{in_, context_};
  auto out = reader.read();
  note(reader);
  return out;
}

std::optional<std::string> batch_reader::text_expression() {
  expression_reader reader{in_, context_};
  auto out = reader.read_text();
  note(reader);
  return out;
}

std::optional<std::int64_t> batch_reader::integer_expression() {
  expression_reader reader{in_, context_};
  auto out = reader.read_integer();
  note(reader);
  return out;
}

bool batch_reader::select() {
  if (in_.take_word("TOP")) {
    const auto rows = integer_expression();
    if (!rows || *rows < 0) return wrong("TOP takes a number");
    if (!in_.take('*')) return wrong("TOP needs * and a table");
    return select_rows(static_cast<std::uint64_t>(*rows));
  }
  if (in_.take('*')) return select_rows(rows_without_top);
  return select_list();
}

bool batch_reader::select_rows(std::uint64_t rows) {
  if (!in_.take_word("FROM") || !is_name(in_.peek())) return wrong("* needs FROM and a table");
  const auto table = in_.next().text;
  if (answer_rowset(table, rows, context_.environment.collate, out_)) return true;
  return wrong("the table " + std::string{table} + " is not known here");
}

// [AS] name, or nothing.
std::string batch_reader::alias() {
  const bool as = in_.take_word("AS");
  const lexeme& at = in_.peek();
  if (at.kind == lexeme_kind::text) return unquote(in_.next().text, '\'');
  if (at.kind == lexeme_kind::name) {
    const char close = in_.from(at.offset).front() == '[' ? ']' : '"';
    return unquote(in_.next().text, close);
  }
  const bool plain = at.kind == lexeme_kind::word && (as || (!starts_statement(at) && !continues_select(at)));
  return plain ? std::string{in_.next().text} : std::string{};
}

bool batch_reader::select_list() {
  std::vector<select_item> items;
  do {
    if (items.size() == most_columns) return wrong("too many columns");
    auto what = expression();
    if (!what) return unknown();
    items.push_back({alias(), std::move(*what)});
  } while (in_.take(','));
  // What goes on behind an expression (an operator, a WHERE) was not understood.
  const lexeme& at = in_.peek();
  if (at.kind != lexeme_kind::end && !at.is(';') && !starts_statement(at)) return unknown();
  answer_select(std::move(items), out_);
  return true;
}

bool batch_reader::waitfor() {
  if (!in_.take_word("DELAY")) return wrong("WAITFOR takes DELAY here");
  const auto text = text_expression();
  const auto delay = text ? parse_delay(*text) : std::nullopt;
  if (!delay) return wrong("it is no delay");
  out_.pause(*delay).done();
  return true;
}

bool batch_reader::print() {
  const auto text = text_expression();
  if (!text) return unknown();
  out_.message(0, 0, 1, *text, in_.line_of(start_.offset)).done();
  return true;
}

bool batch_reader::raiserror() {
  if (!in_.take('(')) return unknown();
  const auto text = text_expression();
  if (!text || !in_.take(',')) return unknown();
  const auto severity = integer_expression();
  if (!severity || !in_.take(',')) return unknown();
  const auto state = integer_expression();
  if (!state || !in_.take(')')) return unknown();
  bool at_once = false;
  if (in_.take_word("WITH")) {
    do {
      at_once = at_once || in_.peek().is_word("NOWAIT");
      if (in_.next().kind != lexeme_kind::word) return unknown();
    } while (in_.take(','));
  }
  const auto level = static_cast<std::uint8_t>(std::clamp<std::int64_t>(*severity, 0, 25));
  out_.message(user_error, level, static_cast<std::uint8_t>(std::clamp<std::int64_t>(*state, 0, 255)), *text,
               in_.line_of(start_.offset));
  if (level < first_error_severity) {
    out_.done();
  } else {
    out_.done_with_error();
  }
  if (at_once) out_.flush();
  if (level < fatal_severity) return true;
  out_.finish();
  out_.close();
  return false;
}

bool batch_reader::throw_statement() {
  const auto number = integer_expression();
  if (!number || !in_.take(',')) return unknown();
  const auto text = text_expression();
  if (!text || !in_.take(',')) return unknown();
  const auto state = integer_expression();
  if (!state) return unknown();
  out_.message(static_cast<std::int32_t>(*number), user_severity, static_cast<std::uint8_t>(*state), *text,
               in_.line_of(start_.offset))
      .done_with_error();
  return false;
}

void batch_reader::change_environment(envchange_type type, std::string& current, std::string now) {
  repeatable_ = false;
  bytes::buffer token;
  bytes::writer to{token};
  const bytes::ucs2_string wide{now};
  if (!protocol::write_envchange_text(to, type, wide, bytes::ucs2_string{current})) return;
  out_.token(token);
  current = std::move(now);
}

bool batch_reader::use() {
  if (!is_name(in_.peek())) return unknown();
  const std::string name{in_.next().text};
  change_environment(envchange_type::database, context_.environment.database, name);
  out_.message(5701, 0, 2, "Changed database context to '" + name + "'.", in_.line_of(start_.offset)).done();
  return true;
}

bool batch_reader::set() {
  if (in_.take_word("LANGUAGE")) {
    const lexeme at = in_.next();
    if (!is_name(at) && at.kind != lexeme_kind::text && at.kind != lexeme_kind::ntext) return unknown();
    change_environment(envchange_type::language, context_.environment.language, std::string{at.text});
    out_.message(5703, 0, 1, "Changed language setting to " + std::string{at.text} + '.',
                 in_.line_of(start_.offset))
        .done();
    return true;
  }
  // SET ANSI_NULLS ON, SET TEXTSIZE 64512, SET LOCK_TIMEOUT -1, ...: accepted, whatever it asks for.
  const lexeme option = in_.next();
  if (!is_name(option)) return unknown();
  for (;;) {
    const lexeme& at = in_.peek();
    if (at.kind == lexeme_kind::end || at.is(';') || starts_statement(at)) break;
    if (at.kind == lexeme_kind::broken) return unknown();
    in_.next();
  }
  out_.done();
  return true;
}

void batch_reader::end_transaction(envchange_type how) {
  auto& env = context_.environment;
  bytes::buffer old;
  bytes::writer{old}.u64(env.transaction);
  bytes::buffer token;
  bytes::writer to{token};
  if (protocol::write_envchange_bytes(to, how, {}, old)) out_.token(token);
  env.transaction = 0;
  env.transaction_depth = 0;
}

bool batch_reader::transaction(std::string_view word) {
  repeatable_ = false;
  auto& env = context_.environment;
  const bool named = in_.take_word("TRAN") || in_.take_word("TRANSACTION") || in_.take_word("WORK");
  if (!named && word != "COMMIT" && word != "ROLLBACK") return unknown();
  if (is_name(in_.peek()) && !starts_statement(in_.peek())) in_.next();
  if (word == "BEGIN") {
    if (env.transaction_depth++ == 0) {
      env.transaction = ++env.transactions;
      bytes::buffer now;
      bytes::writer{now}.u64(env.transaction);
      bytes::buffer token;
      bytes::writer to{token};
      if (protocol::write_envchange_bytes(to, envchange_type::begin_transaction, now, {})) out_.token(token);
    }
  } else if (word != "SAVE") {
    if (env.transaction_depth == 0) {
      out_.message(
              word == "COMMIT" ? 3902 : 3903, user_severity, 1,
              "The " + std::string{word} + " TRANSACTION request has no corresponding BEGIN TRANSACTION.",
              in_.line_of(start_.offset))
          .done_with_error();
      return true;
    }
    if (word == "ROLLBACK") {
      end_transaction(envchange_type::rollback_transaction);
    } else if (--env.transaction_depth == 0) {
      end_transaction(envchange_type::commit_transaction);
    }
  }
  out_.done();
  return true;
}

// IF @@TRANCOUNT > 0 COMMIT TRAN, as drivers send it.
bool batch_reader::conditional() {
  if (++depth_ > deepest_if) return wrong("IF is nested too deeply");
  const auto left = integer_expression();
  if (!left) return unknown();
  const lexeme comparison = in_.next();
  const auto right = integer_expression();
  if (!right) return unknown();
  bool holds = false;
  if (comparison.is('>')) {
    holds = *left > *right;
  } else if (comparison.is('=')) {
    holds = *left == *right;
  } else if (comparison.is('<')) {
    holds = *left < *right;
  } else {
    return unknown();
  }
  if (holds) return statement();
  // Skipped: up to where the next statement begins.
  in_.next();
  while (in_.peek().kind != lexeme_kind::end && in_.peek().kind != lexeme_kind::broken &&
         !in_.peek().is(';') && !starts_statement(in_.peek())) {
    in_.next();
  }
  out_.done();
  return true;
}

}  // namespace tds::serving
