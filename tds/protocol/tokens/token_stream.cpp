// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/note_row.hpp>
#include <tds/protocol/tokens/token_stream.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace tds::protocol {
namespace {

constexpr std::size_t token_byte = 1;

std::string name(token_type type) { return std::string{name_of(type)}; }

}  // namespace

token_stream::token_stream(tds_version version, decode_limits limits) noexcept
    : context_{version, 0, false, limits} {}

void token_stream::set_version(tds_version version) noexcept {
  if (version == context_.version) return;
  context_.version = version;
  cache_.clear();
  extent_.forget();
  wanted_ = 0;
}

void token_stream::set_column_encryption(bool negotiated) noexcept {
  if (negotiated == context_.encryption) return;
  context_.encryption = negotiated;
  cache_.clear();
  extent_.forget();
}

void token_stream::feed(bytes::byte_span payload) {
  if (failed_) return;
  // Moving what is left only when at least as much was taken keeps this at one move a byte; the vector grows
  // geometrically.
  if (at_ >= pending() && at_ != 0) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
    origin_ += at_;
    at_ = 0;
  }
  buffer_.insert(buffer_.end(), payload.begin(), payload.end());
}

void token_stream::begin_message() noexcept {
  buffer_.clear();
  at_ = 0;
  origin_ = 0;
  wanted_ = 0;
  metadata_.reset();
  alternatives_.clear();
  extent_.forget();
  in_row_ = false;
  ended_ = false;
  failed_ = false;
  error_ = {};
  last_type_ = {};
  last_offset_ = 0;
  last_bytes_ = {};
}

token_stream::state token_stream::next(token& out) {
  if (failed_) return state::error;
  if (pending() == 0) return state::need_more;
  const auto type = static_cast<token_type>(buffer_[at_]);
  if (pending() < wanted_) return more(type);
  switch (type) {
    case token_type::row:
    case token_type::nbcrow:
      return next_row(type, out);
    case token_type::altrow:
      return next_altrow(out);
    case token_type::colmetadata:
      return next_colmetadata(out);
    case token_type::dataclassification:
      if (context_.classification == 0) {
        return fail({errc::unexpected_token, offset(), "token_type", "not negotiated"}, type);
      }
      return next_walked(type, out);
    case token_type::altmetadata:
    case token_type::returnvalue:
    case token_type::featureextack:
      return next_walked(type, out);
    case token_type::returnstatus:
    case token_type::offset:
    case token_type::tabname:
    case token_type::colinfo:
    case token_type::order:
    case token_type::error:
    case token_type::info:
    case token_type::loginack:
    case token_type::envchange:
    case token_type::sessionstate:
    case token_type::sspi:
    case token_type::fedauthinfo:
    case token_type::done:
    case token_type::doneproc:
    case token_type::doneinproc:
      return next_sized(type, out);
  }
  return fail_unknown();
}

// Walks over `columns`, `head` bytes behind the start of the token.
token_stream::state token_stream::scan_row(token_type type, std::size_t head, const colmetadata& columns) {
  if (!in_row_) {
    scanner_.begin(columns, type == token_type::nbcrow);
    in_row_ = true;
  }
  const auto found = scanner_.scan(left().subspan(head), context_.limits.max_value_bytes);
  if (found == scan_state::complete) {
    in_row_ = false;
    return state::token;
  }
  if (found == scan_state::incomplete && !ended_) return state::need_more;
  std::string where;
  if (const std::size_t at = scanner_.column(); at < columns.columns.size()) {
    where = "column " + std::to_string(at + 1) + ' ' + columns.columns[at].name.view().utf8();
  }
  if (found == scan_state::incomplete) {
    return fail({errc::incomplete, origin_ + buffer_.size(), "row", std::move(where)}, type);
  }
  return fail({scanner_.error(), offset() + head + scanner_.size(), "row", std::move(where)}, type);
}

token_stream::state token_stream::next_row(token_type type, token& out) {
  if (metadata_ == nullptr || metadata_->columns.empty()) {
    return fail({errc::unexpected_token, offset(), "token_type", "no columns known"}, type);
  }
  if (const state s = scan_row(type, token_byte, *metadata_); s != state::token) return s;
  const row& values = out.emplace<row>(scanner_.found(left().subspan(token_byte)));
  if (notes_ != nullptr) note_row(*notes_, type, offset(), {}, values);
  take(type, token_byte + values.bytes.size());
  return state::token;
}

token_stream::state token_stream::next_altrow(token& out) {
  constexpr auto type = token_type::altrow;
  constexpr std::size_t head = token_byte + sizeof(std::uint16_t);
  if (pending() < head) return more(type);
  bytes::reader in{left().subspan(token_byte)};
  const std::uint16_t id = in.u16("id");
  const auto found =
      std::ranges::find_if(alternatives_, [id](const alternative& known) { return known->id == id; });
  if (found == alternatives_.end()) {
    return fail({errc::unexpected_token, offset(), "id", "no ALTMETADATA of id " + std::to_string(id)}, type);
  }
  if (const state s = scan_row(type, head, (*found)->columns); s != state::token) return s;
  const altrow& values = out.emplace<altrow>(altrow{id, scanner_.found(left().subspan(head))});
  if (notes_ != nullptr) note_row(*notes_, type, offset(), id, values.values);
  take(type, head + values.values.bytes.size());
  return state::token;
}

token_stream::state token_stream::walk(token_type type) {
  if (!extent_.begun()) extent_.begin(type);
  switch (extent_.scan(left().subspan(token_byte), context_, offset() + token_byte)) {
    case scan_state::incomplete:
      return more(type);
    case scan_state::bad:
      return fail(extent_.error(), type);
    case scan_state::complete:
      break;
  }
  extent_.forget();
  return state::token;
}

token_stream::state token_stream::next_colmetadata(token& out) {
  constexpr auto type = token_type::colmetadata;
  // Annotations come from reading, so nothing is taken from the cache while they are collected.
  metadata_cache::hit known;
  if (!extent_.begun() && notes_ == nullptr) known = cache_.find(left().subspan(token_byte));
  if (known.metadata == nullptr) {
    if (const state s = walk(type); s != state::token) return s;
    // What came in pieces may be known all the same.
    if (notes_ == nullptr) known = cache_.find(left().subspan(token_byte, extent_.size()));
  }
  if (known.metadata != nullptr) {
    metadata_ = std::move(known.metadata);
    take(type, token_byte + known.size);
  } else {
    const std::size_t size = token_byte + extent_.size();
    const state s = read(type, size, [this](bytes::reader& in) {
      metadata_ = std::make_shared<const colmetadata>(
          read_colmetadata(in, context_.version, context_.limits, context_.encryption));
    });
    if (s != state::token) return s;
    if (notes_ == nullptr) cache_.keep(last_bytes_.subspan(token_byte), metadata_);
  }
  alternatives_.clear();
  out.emplace<metadata_ptr>(metadata_);
  return state::token;
}

token_stream::state token_stream::next_walked(token_type type, token& out) {
  if (const state s = walk(type); s != state::token) return s;
  return read(type, token_byte + extent_.size(), [this, type, &out](bytes::reader& in) {
    switch (type) {
      case token_type::altmetadata:
        if (!keep_alternative(read_altmetadata(in, context_.version, context_.limits), out)) {
          in.fail(errc::limit_exceeded, "id");
        }
        break;
      case token_type::returnvalue:
        out.emplace<returnvalue>(
            read_returnvalue(in, context_.version, context_.limits, context_.encryption));
        break;
      case token_type::featureextack:
        out.emplace<featureextack>(read_featureextack(in));
        break;
      default:
        out.emplace<dataclassification>(
            read_dataclassification(in, context_.classification, context_.limits));
        break;
    }
  });
}

token_stream::state token_stream::next_sized(token_type type, token& out) {
  const auto size = announced_size(left(), context_.version);
  if (!size) return more(type);
  if (*size > context_.limits.max_token_bytes) {
    return fail({errc::limit_exceeded, offset() + token_byte, "length", std::to_string(*size) + " bytes"},
                type);
  }
  wanted_ = *size;
  if (pending() < wanted_) return more(type);
  return read(type, *size, [this, type, &out](bytes::reader& in) {
    switch (type) {
      case token_type::done:
      case token_type::doneproc:
      case token_type::doneinproc:
        out.emplace<done>(read_done(in, type, context_.version));
        break;
      case token_type::error:
      case token_type::info:
        out.emplace<message_token>(read_message_token(in, type, context_.version));
        break;
      case token_type::envchange:
        out.emplace<envchange>(read_envchange(in));
        break;
      case token_type::loginack:
        out.emplace<loginack>(read_loginack(in));
        break;
      case token_type::order:
        out.emplace<order>(read_order(in));
        break;
      case token_type::returnstatus:
        out.emplace<returnstatus>(read_returnstatus(in));
        break;
      case token_type::offset:
        out.emplace<offset_token>(read_offset(in));
        break;
      case token_type::tabname:
        out.emplace<tabname>(read_tabname(in, context_.version, context_.limits));
        break;
      case token_type::colinfo:
        out.emplace<colinfo>(read_colinfo(in));
        break;
      case token_type::sessionstate:
        out.emplace<sessionstate>(read_sessionstate(in));
        break;
      case token_type::sspi:
        out.emplace<sspi_token>(read_sspi(in));
        break;
      default:
        out.emplace<fedauthinfo>(read_fedauthinfo(in));
        break;
    }
  });
}

// Reads a token that is all there: `fields` takes exactly what follows the token byte.
template <class Read>
token_stream::state token_stream::read(token_type type, std::size_t size, Read&& fields) {
  bytes::reader in{left().first(size), offset()};
  if (notes_ != nullptr) {
    notes_->open(offset(), name(type));
    in.annotate(notes_);
  }
  (void)in.u8("token_type");
  in.meaning([type] { return name(type); });
  fields(in);
  if (notes_ != nullptr) notes_->close();
  if (in.ok() && in.remaining() != 0) in.fail(errc::bad_length, "token");
  if (!in.ok()) {
    decode_error error = in.error();
    if (error.code == errc::incomplete) error.code = errc::bad_length;
    return fail(std::move(error), type);
  }
  take(type, size);
  return state::token;
}

bool token_stream::keep_alternative(altmetadata&& metadata, token& out) {
  if (alternatives_.size() >= context_.limits.max_columns) return false;
  std::erase_if(alternatives_, [&metadata](const alternative& known) { return known->id == metadata.id; });
  alternatives_.push_back(std::make_shared<const altmetadata>(std::move(metadata)));
  out.emplace<alternative>(alternatives_.back());
  return true;
}

void token_stream::take(token_type type, std::size_t size) noexcept {
  last_type_ = type;
  last_offset_ = offset();
  last_bytes_ = left().first(size);
  at_ += size;
  wanted_ = 0;
}

token_stream::state token_stream::more(token_type type) {
  if (!ended_) return state::need_more;
  std::string have = std::to_string(pending()) + " bytes";
  if (wanted_ != 0) have += " of " + std::to_string(wanted_);
  return fail({errc::incomplete, origin_ + buffer_.size(), "token", std::move(have)}, type);
}

token_stream::state token_stream::fail(decode_error error, token_type type) {
  error.context = "in " + name(type) + (error.context.empty() ? "" : ": " + error.context);
  error_ = std::move(error);
  failed_ = true;
  return state::error;
}

token_stream::state token_stream::fail_unknown() {
  constexpr std::size_t shown = 16;
  const std::string before = last_type_ == token_type{} ? "at the start" : "after " + name(last_type_);
  error_ = {errc::unknown_token, offset(), "token_type",
            before + ": " + bytes::hex(left().first(std::min(pending(), shown)))};
  failed_ = true;
  return state::error;
}

}  // namespace tds::protocol
