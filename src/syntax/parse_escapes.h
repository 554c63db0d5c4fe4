#pragma once

#include <string>
#include <string_view>

namespace tritonrl::syntax {

// Appends what the inside of a string literal stands for. False: it holds an escape that Python refuses, or one by the
// name of a character, which is not known here.
bool decode_literal(std::string_view inside, bool raw, bool bytes, std::string& out);

}  // namespace tritonrl::syntax
