#include "text/python_regions.h"

#include <string>

#include "text/chars.h"
#include "text/python_lines.h"
#include "text/python_scan.h"

namespace tritonrl::text {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

class RegionReader {
 public:
  explicit RegionReader(std::string_view text) : text_(text), lines_(text) {}

  std::vector<PythonRegion> read() {
    std::size_t lead = kNone;  // where the lines right above that may belong to a region begin
    while (lines_.next()) {
      std::size_t begin = lines_.begin();
      LineShape shape = line_shape(lines_.line());
      if (shape == LineShape::kImport || shape == LineShape::kDefinition) {
        read_region(lead == kNone ? begin : lead);
        lead = kNone;
      } else if (shape == LineShape::kStatement && skip_docstring()) {
        lead = begin;
        skip_blank_lines();
      } else if (shape == LineShape::kStatement || shape == LineShape::kComment) {
        if (lead == kNone) lead = begin;
      } else {
        lead = kNone;
      }
    }
    return std::move(regions_);
  }

 private:
  // Moves behind a string that begins on this line and ends on another; without one, stays.
  bool skip_docstring() {
    std::string_view text = trim(lines_.line());
    if (unclosed_string_ || (text.find("\"\"\"") == kNone && text.find("'''") == kNone)) return false;
    LineCursor ahead = lines_;
    PythonScanner scanner;
    scanner.scan(ahead.line());
    while (scanner.in_string()) {
      if (!ahead.next()) {
        unclosed_string_ = true;
        return false;
      }
      scanner.scan(ahead.line());
    }
    lines_ = ahead;
    return true;
  }

  void skip_blank_lines() {
    LineCursor ahead = lines_;
    while (ahead.next() && trim(ahead.line()).empty()) lines_ = ahead;
  }

  // The cursor stands on the line that tells the region; `begin` may be some lines above it.
  void read_region(std::size_t begin) {
    std::size_t base = indentation(lines_.line());
    PythonScanner scanner;
    std::string kinds;
    std::size_t end = lines_.end();
    bool in_block = false;
    LineCursor before = lines_;
    do {
      std::string_view line = lines_.line();
      std::size_t indent = indentation(line);
      if (!scanner.in_statement() && !trim(line).empty()) {
        LineShape shape = line_shape(line);
        bool belongs = indent > base && in_block ? true : is_code(shape) && indent >= base;
        if (shape == LineShape::kComment) {
          // Part of the region only if code follows: it may be a Markdown heading.
          before = lines_;
          continue;
        }
        if (!belongs) {
          regions_.push_back({text_.substr(begin, end - begin), false});
          lines_ = before;
          return;
        }
        if (indent <= base) in_block = false;
      }
      before = lines_;
      if (trim(line).empty() && !scanner.in_string()) continue;
      kinds.clear();
      scanner.scan(line, &kinds);
      if (!scanner.in_statement() && ends_with_colon(line, kinds)) in_block = true;
      end = lines_.end();
    } while (lines_.next());
    regions_.push_back({text_.substr(begin), true});
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
  bool unclosed_string_ = false;
};

}  // namespace

std::vector<PythonRegion> find_python_regions(std::string_view text) {
  return RegionReader(text).read();
}

}  // namespace tritonrl::text
