#pragma once

#include <string_view>

#include "python/python_lexer.h"

namespace tritonrl::python {

// The keyword that the word is, or kName.
Token word_token(std::string_view word);

}  // namespace tritonrl::python
