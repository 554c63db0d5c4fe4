#pragma once

#include <string>

namespace tritonrl::optimize {

// The text with `self.eval()` at the end of the class's constructor, in Python's normal form: the module is made as it
// is used, not as it is trained. UserError where the text cannot be read or defines no such class.
std::string in_eval_mode(const std::string& text, const std::string& cls);

}  // namespace tritonrl::optimize
