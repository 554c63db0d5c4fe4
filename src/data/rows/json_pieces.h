#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/rows/byte_source.h"
#include "data/rows/json_window.h"

namespace tritonrl::data {

// A part of a JSON file that stands for one row.
struct JsonPiece {
  enum class Kind {
    kObject,     // from { to }; what lies between is not looked into but for brackets and strings
    kOther,      // another value or no JSON at all; `text` may be cut off
    kTooLong,    // an object longer than is allowed; without its text
    kBroken,     // an object that does not end before its line does
    kUnreadable  // no more pieces can be found
  };
  Kind kind = Kind::kObject;
  std::string_view text;    // good until the next call
  std::int64_t offset = 0;  // of its first byte in the source
  std::int64_t line = 0;    // of its first byte, from 1
  std::int64_t bytes = 0;   // its length
  std::string message;      // of kBroken and kUnreadable
};

struct JsonPieceOptions {
  std::size_t max_object_bytes = std::size_t{64} << 20;
  std::size_t read_bytes = std::size_t{256} << 10;  // of one read
};

// Cuts a JSON file into its objects without parsing them: an array of objects, or objects one after the other. Of the
// latter, the first one tells whether each has a line of its own; if so, one that is broken ends with its line,
// otherwise before the next line that begins with a brace. A broken array is followed as long as its brackets allow it.
class JsonPieces {
 public:
  // The source begins with JSON; byte order marks before values are left out.
  JsonPieces(std::unique_ptr<ByteSource> source, JsonPieceOptions options);

  std::optional<JsonPiece> next();
  bool is_array() const { return array_; }
  // Bytes of the source that are done with.
  std::int64_t consumed() const { return window_.offset(); }
  // What lies ahead, at most `bytes` of it.
  std::string_view head(std::size_t bytes) { return window_.head(bytes); }

 private:
  enum class Layout { kUnknown, kLines, kSpread };

  std::optional<JsonPiece> next_of_array();
  std::optional<JsonPiece> next_of_sequence();
  void skip_blanks();
  void skip_byte_order_mark();
  JsonPiece begin_piece();
  void finish_piece(JsonPiece& piece);
  void read_object(JsonPiece& piece);
  bool newline_breaks_object();
  void read_line(JsonPiece& piece);
  void read_element(JsonPiece& piece);
  void find_next_object();
  JsonPiece end_array(const std::string& message);

  JsonPieceOptions options_;
  JsonWindow window_;
  bool array_ = false, ended_ = false;
  Layout layout_ = Layout::kUnknown;
  std::int64_t line_ = 1;
  std::string other_;  // the text of a piece that is no object
};

}  // namespace tritonrl::data
