// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/message.hpp>
#include <tds/protocol/tokens/result_extras.hpp>
#include <tds/protocol/tokens/row.hpp>
#include <tds/server/answer.hpp>
#include <tds/server/generated_rows.hpp>

#include <memory>
#include <utility>

namespace tds::serving {

using protocol::done_status;
using kind = answer_step::kind;

namespace {

// Attention can end an answer only between two steps: this bounds what still goes out.
constexpr std::size_t largest_step = 64 * 1024;
constexpr std::int32_t user_error = 50000;
constexpr std::uint8_t user_severity = 16;
constexpr std::uint8_t first_error_severity = 11;

}  // namespace

protocol::column make_column(std::string_view name, protocol::type_info type, bool nullable) {
  protocol::column out;
  out.name = bytes::ucs2_string{name};
  out.type = std::move(type);
  if (nullable) out.flags.set(protocol::column_flag::nullable);
  return out;
}

answer::answer(protocol::tds_version version, std::string_view server_name)
    : version_(version), server_name_(server_name) {}

void answer::clear() {
  bytes_.clear();
  steps_.clear();
  metadata_.reset();
  open_done_.reset();
  open_end_ = true;
  problem_.clear();
}

answer& answer::fail(std::string_view what) {
  if (problem_.empty()) problem_ = what;
  return *this;
}

answer_step& answer::step(kind what) {
  answer_step added;
  added.what = what;
  added.begin = added.end = bytes_.size();
  steps_.push_back(std::move(added));
  return steps_.back();
}

bytes::writer answer::begin_token() {
  const bool fits = !steps_.empty() && steps_.back().what == kind::tokens &&
                    steps_.back().end - steps_.back().begin < largest_step;
  if (!fits) step(kind::tokens);
  open_done_.reset();
  open_end_ = true;
  return bytes::writer{bytes_};
}

void answer::end_token() { steps_.back().end = bytes_.size(); }

answer& answer::columns(std::vector<protocol::column> columns) {
  auto made = std::make_shared<protocol::colmetadata>();
  made->columns = std::move(columns);
  auto out = begin_token();
  const bool written = protocol::write_colmetadata(out, *made, version_);
  end_token();
  metadata_ = std::move(made);
  return written ? *this : fail("a column's name is too long");
}

answer& answer::row(values row) {
  if (metadata_ == nullptr) return fail("a row without columns");
  auto out = begin_token();
  const auto written = protocol::write_row(out, *metadata_, row);
  end_token();
  return written ? *this : fail("a row does not go with its columns: " + written.error().message());
}

answer& answer::rows(std::uint64_t count, row_generator generate) {
  if (metadata_ == nullptr) return fail("rows without columns");
  return rows([metadata = metadata_, count, generate = std::move(generate)] {
    return std::make_unique<generated_rows>(metadata, count, generate);
  });
}

answer& answer::rows(row_source_factory make) {
  step(kind::rows).make = std::move(make);
  open_done_.reset();
  open_end_ = true;
  return *this;
}

void answer::write_done(bytes::flag_set<done_status> status, std::uint64_t count) {
  auto out = begin_token();
  const std::size_t at = bytes_.size();
  protocol::done token;
  token.status = status.set(done_status::more);
  token.row_count = count;
  protocol::write_done(out, token, version_);
  end_token();
  open_done_ = at + 1;
}

answer& answer::done(std::optional<std::uint64_t> row_count) {
  bytes::flag_set<done_status> status;
  status.set(done_status::count, row_count.has_value());
  write_done(status, row_count.value_or(0));
  return *this;
}

answer& answer::done_with_error() {
  write_done(done_status::error, 0);
  return *this;
}

answer& answer::message(std::int32_t number, std::uint8_t severity, std::uint8_t state, std::string_view text,
                        std::uint32_t line) {
  const bytes::ucs2_string wide{text};
  protocol::message_token token;
  token.type = severity >= first_error_severity ? protocol::token_type::error : protocol::token_type::info;
  token.number = number;
  token.state = state;
  token.severity = severity;
  token.text = wide;
  token.server_name = server_name_;
  token.line_number = line;
  auto out = begin_token();
  const bool written = protocol::write_message_token(out, token, version_);
  end_token();
  return written ? *this : fail("a message's text is too long");
}

answer& answer::error(std::string_view text, std::uint32_t line) {
  return message(user_error, user_severity, 1, text, line).done_with_error();
}

answer& answer::return_status(std::int32_t status) {
  auto out = begin_token();
  protocol::write_returnstatus(out, {status});
  end_token();
  return *this;
}

answer& answer::pause(std::chrono::nanoseconds pause) {
  step(kind::pause).pause = pause;
  return *this;
}

answer& answer::flush() {
  step(kind::flush);
  return *this;
}

answer& answer::token(bytes::byte_span token) {
  auto out = begin_token();
  out.bytes(token);
  end_token();
  return *this;
}

answer& answer::raw(bytes::byte_span bytes) {
  auto out = begin_token();
  out.bytes(bytes);
  end_token();
  open_end_ = false;
  return *this;
}

answer& answer::close() {
  step(kind::close);
  return *this;
}

answer& answer::silence() {
  step(kind::silence);
  return *this;
}

void answer::finish() {
  if (!open_done_ && open_end_) write_done({}, 0);
  if (open_done_) bytes_[*open_done_] &= static_cast<std::uint8_t>(~static_cast<unsigned>(done_status::more));
  open_done_.reset();
  open_end_ = false;
}

}  // namespace tds::serving
