#include "text/python_regions.h"

#include <string>
#include <utility>

#include "text/chars.h"
#include "text/python_lines.h"
#include "text/python_scan.h"

namespace tritonrl::text {
namespace {

class RegionReader {
 public:
  explicit RegionReader(std::string_view text) : text_(text), lines_(text) {}

  std::vector<PythonRegion> read() {
    while (lines_.next()) {
      LineShape shape = line_shape(lines_.line());
      if (shape == LineShape::kComment) {
        if (lead_ == kNone) start_lead(/*indent=*/kNone);
      } else if (is_code(shape)) {
        // Code further left than the lines above it does not go on with them.
        std::size_t indent = indentation(lines_.line());
        if (lead_ == kNone || (lead_indent_ != kNone && indent < lead_indent_)) start_lead(indent);
        if (lead_indent_ == kNone) lead_indent_ = indent;
        if (shape == LineShape::kStatement) {
          skip_statement();
        } else {
          lines_ = LineCursor(text_, std::exchange(lead_, kNone));
          lines_.next();
          read_region();
        }
      } else if (shape == LineShape::kOther) {
        lead_ = kNone;
        after_prose_ = true;
      } else if (lead_indent_ == kNone && after_prose_) {
        // Comments alone above a blank line: a Markdown heading, rather.
        lead_ = kNone;
      }
    }
    return std::move(regions_);
  }

 private:
  void start_lead(std::size_t indent) {
    lead_ = lines_.begin();
    lead_indent_ = indent;
  }

  // Moves to the last line of the statement on this line, if a string or a bracket carries it on.
  void skip_statement() {
    LineCursor ahead = lines_;
    PythonScanner scanner;
    scanner.scan(ahead.line());
    while (scanner.in_statement() && !unclosed_) {
      unclosed_ = !ahead.next();
      if (!unclosed_) scanner.scan(ahead.line());
    }
    if (!scanner.in_statement()) lines_ = ahead;
  }

  // Reads the region that begins on this line; leaves the cursor on its last.
  void read_region() {
    std::size_t begin = lines_.begin(), end = begin;
    std::size_t base = kNone;  // the indentation of its first statement
    bool in_block = false, strong = false;
    PythonScanner scanner;
    std::string kinds;
    LineCursor before = lines_;
    do {
      std::string_view line = lines_.line();
      LineShape shape = line_shape(line);
      if (!scanner.in_statement()) {
        // A comment belongs to the region only if code follows: it may be a Markdown heading.
        if (shape == LineShape::kBlank || shape == LineShape::kComment) {
          before = lines_;
          continue;
        }
        std::size_t indent = indentation(line);
        if (base == kNone) base = indent;
        bool belongs = (indent > base && in_block) || (is_code(shape) && indent >= base);
        if (!belongs) {
          if (strong) regions_.push_back({text_.substr(begin, end - begin), false});
          lines_ = before;
          return;
        }
        if (indent <= base) in_block = false;
        strong |= shape == LineShape::kImport || shape == LineShape::kDefinition;
      }
      before = lines_;
      kinds.clear();
      scanner.scan(line, &kinds);
      if (!scanner.in_statement() && ends_with_colon(line, kinds)) in_block = true;
      end = lines_.end();
    } while (lines_.next());
    if (strong) regions_.push_back({text_.substr(begin), true});
  }

  static bool ends_with_colon(std::string_view line, std::string_view kinds) {
    for (std::size_t i = line.size(); i-- > 0;) {
      if (kinds[i] == kComment || is_blank(line[i])) continue;
      return kinds[i] == kCode && line[i] == ':';
    }
    return false;
  }

  std::string_view text_;
  LineCursor lines_;
  std::vector<PythonRegion> regions_;
  std::size_t lead_ = kNone;         // where the lines above that may belong to the next region begin
  std::size_t lead_indent_ = kNone;  // of the first statement there, kNone while there are only comments
  bool after_prose_ = false;
  bool unclosed_ = false;  // a statement was seen that never ends: look for no more, so that the time stays linear
};

}  // namespace

std::vector<PythonRegion> find_python_regions(std::string_view text) {
  return RegionReader(text).read();
}

}  // namespace tritonrl::text
