#pragma once

#include <string>
#include <vector>

namespace tritonrl::python {

// The lines of a Python text that say something.
struct CodeLines {
  std::string text;       // each line ends with \n
  std::vector<int> from;  // of each line, its place in the whole text, from 0
};

// Without comments, blanks at ends of lines and empty lines. A text that cannot be read stays as it is. Lines end with
// \n alone, the last one too.
CodeLines code_lines(const std::string& text);

}  // namespace tritonrl::python
