// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/row_source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tds::serving {

/// `unit` over and over until `size` bytes: what REPLICATE makes of a max type.
struct repetition {
  std::string unit{};
  std::uint64_t size{};
};

/// How a value that long lies on the wire.
enum class long_form : std::uint8_t {
  plp,   ///< chunks (MS-TDS 2.2.5.2.3)
  text,  ///< text, ntext and image, which older clients know: one piece, its length in front
};

/// One ROW in pieces: bytes that stand already, and values that are repetitions.
struct long_row {
  struct long_value {
    repetition what{};
    long_form form{};
  };
  std::vector<std::variant<bytes::buffer, long_value>> pieces{};
};

/// Sends one such row with a memory of its unit, whatever its size.
class long_row_source final : public row_source {
 public:
  explicit long_row_source(std::shared_ptr<const long_row> row);

  bool produce(bytes::buffer& out, std::size_t room) override;
  /// Ends PLP values early; a text value, whose length is already on its way, is sent to its end.
  void stop() noexcept override { stopped_ = true; }

 private:
  void begin_value(const long_row::long_value& value);
  bool produce_value(const long_row::long_value& value, bytes::buffer& out, std::size_t room);
  void append_units(bytes::buffer& out, std::size_t size);

  std::shared_ptr<const long_row> row_;
  std::size_t piece_ = 0;
  bool in_value_ = false;
  bool stopped_ = false;
  std::uint64_t sent_ = 0;  // of the value under way
  std::string pattern_;     // the unit, repeated to a size worth copying
};

}  // namespace tds::serving
