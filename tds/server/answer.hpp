// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/protocol/tokens/colmetadata.hpp>
#include <tds/protocol/tokens/done.hpp>
#include <tds/protocol/types/make_type.hpp>
#include <tds/protocol/types/value.hpp>
#include <tds/protocol/version.hpp>
#include <tds/server/row_source.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tds::serving {

/// One part of an answer, in the order in which the client gets it.
struct answer_step {
  enum class kind : std::uint8_t {
    tokens,   ///< bytes [begin, end) of the answer
    rows,     ///< what `make` makes
    pause,    ///< nothing for `pause`; Attention ends it
    flush,    ///< what there is goes out now, although its packet is not full
    close,    ///< the end of the connection
    silence,  ///< nothing more, ever; Attention ends it
  };
  kind what{kind::tokens};
  std::size_t begin{};
  std::size_t end{};
  std::chrono::nanoseconds pause{};
  row_source_factory make{};
};

/// An answer while it is put together: what a handler fills in, and what the built-in statements come to.
/// Calls may be chained. Text is UTF-8. Nothing is sent before the handler returns.
///
///   out.columns({make_column("id", protocol::make_int(4)), make_column("name",
///   protocol::make_nvarchar(20))})
///      .row({std::int32_t{1}, protocol::text{"one"}})
///      .done(1);
class answer {
 public:
  using values = std::span<const protocol::value>;
  /// Fills `row`, which has one value per column (those of the last call), for row number `index`.
  using row_generator = std::function<void(std::uint64_t index, std::vector<protocol::value>& row)>;

  /// For a client of that version; `server_name` is the one that messages carry.
  explicit answer(protocol::tds_version version, std::string_view server_name = {});

  protocol::tds_version version() const noexcept { return version_; }

  /// Begins a result.
  answer& columns(std::vector<protocol::column> columns);
  /// One row of it, a value per column.
  answer& row(values row);
  answer& row(std::initializer_list<protocol::value> row) {
    return this->row(values{row.begin(), row.size()});
  }
  /// `count` rows that are made while they are sent.
  answer& rows(std::uint64_t count, row_generator generate);
  /// The same from a source of tokens.
  answer& rows(row_source_factory make);
  /// Ends a result or a statement without one. The last one of an answer ends the answer.
  answer& done(std::optional<std::uint64_t> row_count = std::nullopt);
  /// INFO up to severity 10, ERROR above; done_with_error() follows an ERROR.
  answer& message(std::int32_t number, std::uint8_t severity, std::uint8_t state, std::string_view text,
                  std::uint32_t line = 1);
  answer& done_with_error();
  /// Error 50000 of severity 16 and its DONE.
  answer& error(std::string_view text, std::uint32_t line = 1);
  answer& return_status(std::int32_t status);

  /// Nothing for `pause`, while Attention is listened for. What was said before may or may not have gone out.
  answer& pause(std::chrono::nanoseconds pause);
  /// What was said goes out now.
  answer& flush();
  /// A whole token that is none of the above (ENVCHANGE, ORDER, ...).
  answer& token(bytes::byte_span token);
  /// Bytes as they are, right or wrong, where a token would stand. An answer that ends with them gets no DONE
  /// of its own.
  answer& raw(bytes::byte_span bytes);
  /// The connection ends here, without a DONE.
  answer& close();
  /// Nothing more comes, and the connection stays.
  answer& silence();

  /// Ends the answer: the last DONE becomes the final one, one is added where there is none. Called by the
  /// server behind the handler.
  void finish();
  void clear();

  /// What the protocol cannot say (a value that its column cannot hold, a text too long): the first problem.
  /// The server answers with an error in place of such an answer.
  const std::string& problem() const noexcept { return problem_; }

  const std::vector<answer_step>& steps() const noexcept { return steps_; }
  bytes::byte_span tokens(const answer_step& step) const noexcept {
    return bytes::byte_span{bytes_}.subspan(step.begin, step.end - step.begin);
  }
  /// Bytes of all tokens, those that rows() makes not counted.
  std::size_t size() const noexcept { return bytes_.size(); }
  const protocol::metadata_ptr& metadata() const noexcept { return metadata_; }

 private:
  bytes::writer begin_token();
  void end_token();
  answer_step& step(answer_step::kind what);
  void write_done(bytes::flag_set<protocol::done_status> status, std::uint64_t count);
  answer& fail(std::string_view what);

  protocol::tds_version version_;
  bytes::ucs2_string server_name_;
  bytes::buffer bytes_;
  std::vector<answer_step> steps_;
  protocol::metadata_ptr metadata_;
  std::optional<std::size_t>
      open_done_;         // where the status of the last DONE stands, while nothing follows it
  bool open_end_ = true;  // finish() adds a DONE
  std::string problem_;
};

/// A column of a scripted answer.
protocol::column make_column(std::string_view name, protocol::type_info type, bool nullable = true);

}  // namespace tds::serving
