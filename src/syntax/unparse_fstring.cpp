#include <algorithm>

#include "base/check.h"
#include "syntax/unparse_literals.h"
#include "syntax/unparse_writer.h"

namespace tritonrl::syntax {
namespace {

const std::vector<std::string_view>& all_quotes() {
  static const std::vector<std::string_view> quotes(std::begin(kAllQuotes), std::end(kAllQuotes));
  return quotes;
}

}  // namespace

// The whole must fit between one pair of quotes: every part takes away those that it cannot stand in. Where none is
// left, everything is escaped.
void UnparseWriter::joined(const SyntaxNode& node) {
  std::string built;
  const auto part_text = [&](const SyntaxNode& part) {
    std::string text;
    UnparseWriter writer(text, 0);
    writer.avoid_backslashes_ = avoid_backslashes_;
    writer.joined_part(part);
    return text;
  };
  out_ += 'f';
  if (avoid_backslashes_) return append_quoted(part_text(node), all_quotes(), out_);

  const Nodes& parts = node.nodes("values");
  std::vector<std::string_view> quotes = all_quotes();
  bool fits = true;
  for (Node part : parts) {
    Quoted quoted = quote(part_text(*part), quotes, /*escape_white=*/part->is("Constant"));
    built += quoted.inside;
    fits = std::any_of(quoted.quotes.begin(), quoted.quotes.end(), [&](std::string_view mark) {
      return std::find(quotes.begin(), quotes.end(), mark) != quotes.end();
    });
    if (!fits) break;
    quotes = std::move(quoted.quotes);
  }
  if (!fits) {
    quotes = {"'''"};
    built.clear();
    for (Node part : parts) {
      std::string text;
      append_text_repr('"' + part_text(*part), text);  // with a double quote in it, single ones stand around
      built += std::string_view(text).substr(2, text.size() - 3);
    }
  }
  ((out_ += quotes.front()) += built) += quotes.front();
}

void UnparseWriter::joined_part(const SyntaxNode& node) {
  if (node.is("JoinedStr")) {
    for (Node part : node.nodes("values")) joined_part(*part);
  } else if (node.is("Constant")) {
    for (const char c : node.text("value")) {
      out_ += c;
      if (c == '{' || c == '}') out_ += c;
    }
  } else {
    TRL_CHECK(node.is("FormattedValue"), "a part of an f-string");
    formatted_value(node);
  }
}

void UnparseWriter::formatted_value(const SyntaxNode& node) {
  std::string inner;
  UnparseWriter writer(inner, 0);
  writer.avoid_backslashes_ = true;
  writer.expression(node.node("value"), Binding::kOr);
  out_ += '{';
  if (inner.starts_with('{')) out_ += ' ';  // two would be a brace
  out_ += inner;
  const SyntaxValue* conversion = node.field("conversion");
  const auto* letter = conversion == nullptr ? nullptr : std::get_if<std::int64_t>(conversion);
  if (letter != nullptr && *letter > 0) (out_ += '!') += static_cast<char>(*letter);
  if (Node format = node.node("format_spec")) {
    out_ += ':';
    joined_part(*format);
  }
  out_ += '}';
}

}  // namespace tritonrl::syntax
