// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/colmetadata.hpp>
#include <tds/protocol/tokens/tokens.hpp>
#include <tds/protocol/types/raw_value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

// Where a token ends. Used by token_stream only.

namespace tds::protocol {

/// What the shape of a token depends on beside its bytes.
struct token_context {
  tds_version version{};
  std::uint8_t classification{};  ///< version of data classification
  bool encryption{};              ///< COLUMNENCRYPTION is negotiated
  decode_limits limits{};
};

/// The whole size, token byte included, of a token of fixed size or with a length field; `left` begins with
/// the token byte. Nothing while the length field is not all there.
std::optional<std::size_t> announced_size(bytes::byte_span left, tds_version version) noexcept;

/// Finds the end of a token that announces no size: COLMETADATA, ALTMETADATA, RETURNVALUE, FEATUREEXTACK,
/// DATACLASSIFICATION. It walks element by element (a column, a feature) and keeps its place, so that a token
/// that arrives in single bytes costs as many tries as it has bytes, each bounded by one element of a few
/// dozen fields; texts and blobs inside an element are stepped over, not walked.
class token_extent {
 public:
  void begin(token_type type) noexcept;
  bool begun() const noexcept { return begun_; }
  void forget() noexcept { begun_ = false; }

  /// `body` starts behind the token byte in every call, and may have grown. `origin` is its offset in the
  /// message.
  scan_state scan(bytes::byte_span body, const token_context& context, std::size_t origin);
  /// After complete: bytes behind the token byte.
  std::size_t size() const noexcept { return at_; }
  /// After bad.
  const decode_error& error() const noexcept { return error_; }

 private:
  void element(bytes::reader& in, const token_context& context);
  void columns_element(bytes::reader& in, const token_context& context);
  void key_element(bytes::reader& in, const token_context& context);
  void alternative_element(bytes::reader& in, const token_context& context);
  void feature_element(bytes::reader& in);
  void classification_element(bytes::reader& in, const token_context& context);
  scan_state scan_value(bytes::byte_span body, const token_context& context, std::size_t origin);

  token_type type_{};
  std::size_t at_ = 0;       // everything before it has been walked
  unsigned part_ = 0;        // which part of the token
  std::size_t left_ = 0;     // elements left in this part
  std::size_t columns_ = 0;  // of COLMETADATA, while its keys are walked
  bool finished_ = false;    // the element just walked was the last one
  bool begun_ = false;
  std::shared_ptr<const type_info> value_type_{};  // RETURNVALUE; shared so that a copy or a move stays whole
  value_scanner value_{};
  decode_error error_{};
};

}  // namespace tds::protocol
