#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// A piece of an answer that may be code.
struct CodeBlock {
  std::string language;  // as the answer names it, in lower case; empty if it does not
  std::string code;
  bool closed = true;  // false: the answer ends inside it
};

bool is_python_language(std::string_view language);   // python, py3, triton, kernel.py ...
bool is_foreign_language(std::string_view language);  // bash, json, cpp ...; a name we do not know is neither

}  // namespace tritonrl::text
