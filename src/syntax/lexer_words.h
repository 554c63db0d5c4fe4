#pragma once

#include <string_view>

#include "syntax/lexer.h"

namespace tritonrl::syntax {

// The keyword that the word is, or kName.
Token word_token(std::string_view word);

}  // namespace tritonrl::syntax
