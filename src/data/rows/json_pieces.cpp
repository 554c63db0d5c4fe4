#include "data/rows/json_pieces.h"

#include <algorithm>
#include <utility>

#include "data/rows/string_stop.h"

namespace tritonrl::data {
namespace {

// Enough of a value that is no object to tell what it is.
constexpr std::size_t kMaxOtherBytes = 4096;

}  // namespace

JsonPieces::JsonPieces(std::unique_ptr<ByteSource> source, JsonPieceOptions options)
    : options_(options), window_(std::move(source), options.read_bytes) {
  skip_blanks();
  skip_byte_order_mark();
  array_ = window_.peek() == '[';
  if (array_) window_.advance();
}

std::optional<JsonPiece> JsonPieces::next() {
  if (ended_) return std::nullopt;
  return array_ ? next_of_array() : next_of_sequence();
}

void JsonPieces::skip_blanks() {
  for (;;) {
    const int byte = window_.peek();
    if (byte != ' ' && byte != '\t' && byte != '\r' && byte != '\n') return;
    if (byte == '\n') ++line_;
    window_.advance();
    window_.mark();
  }
}

JsonPiece JsonPieces::begin_piece() {
  window_.mark();
  JsonPiece piece;
  piece.offset = window_.offset();
  piece.line = line_;
  return piece;
}

void JsonPieces::finish_piece(JsonPiece& piece) {
  piece.bytes = window_.offset() - piece.offset;
}

// Before the first line, and before others where files were joined.
void JsonPieces::skip_byte_order_mark() {
  while (window_.peek() == 0xEF && window_.head(3) == "\xEF\xBB\xBF") {
    window_.advance(3);
    window_.mark();
    skip_blanks();
  }
}

std::optional<JsonPiece> JsonPieces::next_of_sequence() {
  skip_blanks();
  skip_byte_order_mark();
  if (window_.peek() < 0) {
    ended_ = true;
    return std::nullopt;
  }
  JsonPiece piece = begin_piece();
  if (window_.peek() == '{') {
    read_object(piece);
  } else {
    read_line(piece);
  }
  return piece;
}

std::optional<JsonPiece> JsonPieces::next_of_array() {
  skip_blanks();
  // Python's parsers want exactly one comma; that there are none or two costs no row here.
  while (window_.peek() == ',') {
    window_.advance();
    skip_blanks();
  }
  switch (window_.peek()) {
    case -1:
      return end_array("the file ends before the array does; rows may be missing");
    case '}':
      return end_array("a closing brace without an opening one; what follows is not read");
    case ']':
      window_.advance();
      skip_blanks();
      ended_ = true;
      if (window_.peek() < 0) return std::nullopt;
      return end_array("more text after the array's end; it is not read");
    default:
      break;
  }
  JsonPiece piece = begin_piece();
  if (window_.peek() == '{') {
    read_object(piece);
  } else {
    read_element(piece);
  }
  return piece;
}

JsonPiece JsonPieces::end_array(const std::string& message) {
  JsonPiece piece = begin_piece();
  piece.kind = JsonPiece::Kind::kUnreadable;
  piece.message = message;
  ended_ = true;
  return piece;
}

void JsonPieces::read_object(JsonPiece& piece) {
  const auto limit = static_cast<std::int64_t>(options_.max_object_bytes);
  int depth = 0;
  bool in_string = false, escaped = false;
  const auto broken = [&](const char* message) {
    piece.kind = array_ ? JsonPiece::Kind::kUnreadable : JsonPiece::Kind::kBroken;
    piece.message = message;
    ended_ = ended_ || array_;
    finish_piece(piece);
    if (!array_) find_next_object();
  };
  do {
    // What is too long is not kept.
    if (window_.offset() - piece.offset > limit) window_.mark();
    const std::string_view ahead = window_.ahead();
    if (ahead.empty()) return broken("the file ends inside the object");
    std::size_t at = 0;
    while (at < ahead.size() && (depth > 0 || at == 0)) {
      const char byte = ahead[at];
      if (byte == '\n') {
        window_.advance(at);
        at = 0;
        if (in_string && !array_) return broken("the line ends inside a string");
        if (!array_ && newline_breaks_object()) return broken("the line ends inside the object");
        ++line_;
        window_.advance(1);
        escaped = false;
        break;  // the look at what follows may have moved the window
      }
      if (escaped) {
        escaped = false;
        ++at;
      } else if (in_string) {
        const std::size_t run = string_run(ahead.substr(at));
        at += run;
        if (run > 0) continue;
        if (byte == '"') in_string = false;
        if (byte == '\\') escaped = true;
        ++at;
      } else {
        if (byte == '"') in_string = true;
        if (byte == '{' || byte == '[') ++depth;
        if (byte == '}' || byte == ']') --depth;
        ++at;
      }
    }
    window_.advance(at);
  } while (depth > 0);
  finish_piece(piece);
  if (layout_ == Layout::kUnknown) layout_ = line_ == piece.line ? Layout::kLines : Layout::kSpread;
  if (piece.bytes > limit) {
    piece.kind = JsonPiece::Kind::kTooLong;
  } else {
    piece.text = window_.marked();
  }
}

// At a newline inside an object.
bool JsonPieces::newline_breaks_object() {
  if (layout_ == Layout::kLines) return true;
  // Printed over several lines, an object's inner lines are indented.
  return window_.peek_after() == '{';
}

// From inside a broken object to the line that begins the next one.
void JsonPieces::find_next_object() {
  bool blank = false;  // only blanks since the last newline
  for (;;) {
    const std::string_view ahead = window_.ahead();
    if (ahead.empty()) return;
    std::size_t at = 0;
    for (; at < ahead.size(); ++at) {
      const char byte = ahead[at];
      if (byte == '\n') {
        ++line_;
        blank = true;
      } else if (blank && byte == '{') {
        break;
      } else if (layout_ == Layout::kSpread || (byte != ' ' && byte != '\t')) {
        blank = false;
        const std::size_t newline = ahead.find('\n', at);
        at = std::min(newline, ahead.size()) - 1;
      }
    }
    window_.advance(at);
    window_.mark();
    if (at < ahead.size()) return;
  }
}

// Something that is no object, up to its line's end.
void JsonPieces::read_line(JsonPiece& piece) {
  piece.kind = JsonPiece::Kind::kOther;
  other_.clear();
  for (;;) {
    const std::string_view ahead = window_.ahead();
    const std::size_t length = std::min(ahead.find('\n'), ahead.size());
    other_ += ahead.substr(0, std::min(length, kMaxOtherBytes - other_.size()));
    window_.advance(length);
    window_.mark();
    if (ahead.empty() || length < ahead.size()) break;
  }
  finish_piece(piece);
  piece.text = other_;
}

// Something that is no object, up to the comma, the bracket or the object that follows it.
void JsonPieces::read_element(JsonPiece& piece) {
  piece.kind = JsonPiece::Kind::kOther;
  other_.clear();
  int depth = 0;
  bool in_string = false, escaped = false;
  for (;;) {
    const int next = window_.peek();
    if (next < 0) break;
    const char byte = static_cast<char>(next);
    if (byte == '\n') ++line_;
    if (escaped) {
      escaped = false;
    } else if (in_string) {
      if (byte == '"') in_string = false;
      if (byte == '\\') escaped = true;
    } else {
      if (depth == 0 && (byte == ',' || byte == ']' || byte == '{' || byte == '}')) break;
      if (byte == '"') in_string = true;
      if (byte == '{' || byte == '[') ++depth;
      if (byte == '}' || byte == ']') --depth;
    }
    if (other_.size() < kMaxOtherBytes) other_.push_back(byte);
    window_.advance();
    window_.mark();
  }
  finish_piece(piece);
  piece.text = other_;
}

}  // namespace tritonrl::data
