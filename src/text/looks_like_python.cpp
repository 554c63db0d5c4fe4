#include "text/looks_like_python.h"

#include <array>

#include "text/chars.h"
#include "text/python_lines.h"
#include "text/python_scan.h"

namespace tritonrl::text {
namespace {

// Signs of C, C++, CUDA, JSON and shells.
bool is_foreign(std::string_view line) {
  line = trim(line);
  constexpr std::array<std::string_view, 9> kStarts = {"#include", "#define", "#pragma",  "//",    "/*",
                                                       "$ ",       "}",       "template", "using "};
  for (std::string_view start : kStarts) {
    if (line.starts_with(start)) return true;
  }
  return line.ends_with(';') || line.ends_with('{');
}

}  // namespace

bool looks_like_python(std::string_view text) {
  std::size_t code = 0, other = 0, foreign = 0;
  PythonScanner scanner;
  LineCursor lines(text);
  while (lines.next()) {
    if (!scanner.in_statement()) {
      LineShape shape = line_shape(lines.line());
      code += is_code(shape);
      other += shape == LineShape::kOther;
      foreign += is_foreign(lines.line());
    }
    scanner.scan(lines.line());
  }
  return code > 0 && code >= other && foreign * 3 <= code;
}

}  // namespace tritonrl::text
