#include "report/page/python_html.h"

#include <algorithm>
#include <set>
#include <vector>

#include "report/page/html_text.h"
#include "syntax/lexer.h"
#include "text/python_tokens.h"

namespace tritonrl::report {
namespace {

using Kind = text::PythonToken::Kind;

constexpr std::size_t kLongestLine = 2000;  // bytes; more is data, not code

const std::set<std::string_view>& keywords() {
#define TRITONRL_WORD(name, word) word,
  static const std::set<std::string_view> words = {TRITONRL_KEYWORDS(TRITONRL_WORD)};
#undef TRITONRL_WORD
  return words;
}

// Writes spans that never cross a line.
class LineWriter {
 public:
  LineWriter(int marked, int most) : marked_(marked), most_(most) { begin_line(); }

  void put(std::string_view text, const char* kind) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      write(text.substr(0, end), kind);
      if (end == std::string_view::npos) return;
      end_line();
      begin_line();
      text.remove_prefix(end + 1);
    }
  }

  std::string finish() {
    end_line();
    if (line_ > most_) out_ += "<span class=\"more\">… " + std::to_string(line_ - most_) + " more lines</span>\n";
    return std::move(out_);
  }

 private:
  void write(std::string_view text, const char* kind) {
    if (line_ > most_ || text.empty() || cut_) return;
    const std::string part = shortened(text, kLongestLine - std::min(kLongestLine, written_));
    cut_ = part.size() > text.size() || (part.size() != text.size());
    written_ += part.size();
    out_ +=
        *kind == '\0' ? html_text(part) : "<span class=\"" + std::string(kind) + "\">" + html_text(part) + "</span>";
  }
  void begin_line() {
    ++line_;
    written_ = 0;
    cut_ = false;
    if (line_ <= most_) out_ += line_ == marked_ ? "<span class=\"line marked\">" : "<span class=\"line\">";
  }
  void end_line() {
    if (line_ <= most_) out_ += "</span>\n";
  }

  const int marked_, most_;
  std::string out_;
  int line_ = 0;
  std::size_t written_ = 0;
  bool cut_ = false;
};

// Blanks and comments between two tokens.
void put_between(LineWriter& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find('#'), text.size());
    out.put(text.substr(0, begin), "");
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out.put(text.substr(begin, end - begin), "c");
    text.remove_prefix(end);
  }
}

}  // namespace

std::string python_html(std::string_view code, int marked, int most_lines) {
  while (!code.empty() && code.back() == '\n') code.remove_suffix(1);
  LineWriter out(marked, most_lines);
  const char* at = code.data();
  bool decorator = false, defined = false;
  for (const text::PythonToken& token : text::python_tokens(code)) {
    const std::string_view between(at, static_cast<std::size_t>(token.text.data() - at));
    put_between(out, between);
    at = token.text.data() + token.text.size();
    if (between.find('\n') != std::string_view::npos) decorator = false;
    const char* kind = "";
    if (token.kind == Kind::kString) kind = "s";
    if (token.kind == Kind::kNumber) kind = "n";
    if (token.kind == Kind::kName) kind = keywords().contains(token.text) ? "k" : decorator ? "d" : defined ? "f" : "";
    if (token.kind == Kind::kSymbol) {
      // a decorator begins its line; elsewhere the sign is a product
      const bool first = between.find('\n') != std::string_view::npos || token.text.data() == code.data();
      decorator = (token.text == "@" && first) || (decorator && token.text == ".");
      if (decorator) kind = "d";
    }
    defined = token.kind == Kind::kName && (token.text == "def" || token.text == "class");
    out.put(token.text, kind);
  }
  put_between(out, std::string_view(at, static_cast<std::size_t>(code.data() + code.size() - at)));
  return out.finish();
}

}  // namespace tritonrl::report
