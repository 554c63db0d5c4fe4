#include "data/rows/json_rows.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "data/rows/json_object.h"
#include "data/rows/row_builder.h"

namespace tritonrl::data {
namespace {

// Enough for a first key and what its value begins with.
constexpr std::size_t kHeadBytes = 4096;

// What follows the first key of an object at the text's start; empty if there is none.
std::string_view first_value(std::string_view text) {
  const auto skip = [&](std::string_view bytes) {
    text.remove_prefix(std::min(text.find_first_not_of(bytes), text.size()));
  };
  if (!text.starts_with('{')) return {};
  text.remove_prefix(1);
  skip(" \t\r\n");
  if (!text.starts_with('"')) return {};
  const std::size_t quote = text.find('"', 1);
  if (quote == std::string_view::npos) return {};
  text.remove_prefix(quote + 1);
  skip(" \t\r\n:");
  return text;
}

// pandas writes {"python_code": {"0": ..., "1": ...}, ...} unless it is told otherwise.
bool numbers_its_rows(std::string_view value) {
  if (!value.starts_with('{')) return false;
  value.remove_prefix(1);
  value.remove_prefix(std::min(value.find_first_not_of(" \t\r\n"), value.size()));
  return value.starts_with("\"0\"");
}

class JsonRows : public RowReader {
 public:
  JsonRows(std::unique_ptr<ByteSource> source, std::string name, const RowOptions& options, std::size_t read_bytes)
      : name_(std::move(name)),
        max_object_bytes_(options.max_object_bytes),
        pieces_(std::move(source), {.max_object_bytes = options.max_object_bytes, .read_bytes = read_bytes}),
        builder_(options) {
    const std::string_view value = pieces_.is_array() ? std::string_view() : first_value(pieces_.head(kHeadBytes));
    if (numbers_its_rows(value)) refuse_columns();
    begins_nested_ = value.starts_with('{') || value.starts_with('[');
  }

  std::optional<RowResult> next() override {
    const std::optional<JsonPiece> piece = next_piece();
    if (!piece) return std::nullopt;
    RowResult result;
    result.number = pieces_.is_array() ? count_ : piece->line;
    result.bytes = pieces_.consumed();
    switch (piece->kind) {
      case JsonPiece::Kind::kObject:
        if (const auto error = parse_json_object(piece->text, builder_)) {
          const std::int64_t at = piece->offset + static_cast<std::int64_t>(error->at);
          result.problem = {"not_json", place(*piece, at) + ": " + error->message};
        } else {
          builder_.finish(result);
        }
        break;
      case JsonPiece::Kind::kOther:
        if (is_json_value(piece->text)) {
          result.problem = {"not_an_object", place(*piece, piece->offset) + ": another value than an object"};
        } else {
          result.problem = {"not_json", place(*piece, piece->offset) + ": no JSON object begins here"};
        }
        break;
      case JsonPiece::Kind::kTooLong:
        result.problem = {"too_long", place(*piece, piece->offset) + ": an object of " + std::to_string(piece->bytes) +
                                          " bytes, at most " + std::to_string(max_object_bytes_) + " are allowed"};
        break;
      case JsonPiece::Kind::kBroken:
        result.problem = {"not_json", place(*piece, piece->offset) + ": " + piece->message};
        break;
      case JsonPiece::Kind::kUnreadable:
        result.problem = {"unreadable", place(*piece, piece->offset) + ": " + piece->message};
        break;
    }
    return result;
  }

  void skip(std::int64_t rows) override {
    for (std::int64_t i = 0; i < rows; ++i) {
      if (!next_piece()) return;
    }
  }

  std::optional<std::int64_t> total() const override { return std::nullopt; }

 private:
  std::optional<JsonPiece> next_piece() {
    std::optional<JsonPiece> piece = pieces_.next();
    if (!piece) return std::nullopt;
    ++count_;
    if (count_ == 1 && begins_nested_ && piece->kind == JsonPiece::Kind::kTooLong) refuse_columns();
    return piece;
  }

  static std::string place(const JsonPiece& piece, std::int64_t byte) {
    return "line " + std::to_string(piece.line) + ", byte " + std::to_string(byte + 1);
  }

  [[noreturn]] void refuse_columns() const {
    throw base::UserError("data", name_ +
                                      " is one JSON object that holds whole columns; expected an array of objects " +
                                      "or one object a line. Convert it: pandas.read_json(\"" + name_ +
                                      "\").to_json(\"rows.jsonl\", orient=\"records\", lines=True)");
  }

  std::string name_;
  std::size_t max_object_bytes_;
  JsonPieces pieces_;
  RowBuilder builder_;
  bool begins_nested_ = false;  // the first object's first value is itself an object or a list
  std::int64_t count_ = 0;
};

}  // namespace

std::unique_ptr<RowReader> json_rows(std::unique_ptr<ByteSource> source, const std::string& name,
                                     const RowOptions& options, std::size_t read_bytes) {
  return std::make_unique<JsonRows>(std::move(source), name, options, read_bytes);
}

}  // namespace tritonrl::data
