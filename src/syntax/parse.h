#pragma once

#include <string>
#include <string_view>

#include "syntax/arena.h"

namespace tritonrl::syntax {

struct Parsed {
  const SyntaxNode* module = nullptr;  // of kind "Module", in the arena; null: it could not be read
  std::string error;                   // what was met instead, and what was expected
  int line = 0;                        // of the error
};

// Python's grammar as modules are written, without Python: the same tree, places included, that Python 3.11's own
// parser gives (`ast.parse`). What is read is read as Python does, but some texts that Python accepts are refused:
// `match` statements, names that are not ASCII, characters by name (\N{...}), a backslash before a line's first word,
// and nesting beyond 200 brackets or 1000 operators in a chain. Never crashes on any bytes. About 40 us for 4 KiB. Use
// SyntaxReader where texts come from outside and must be read whatever they hold.
Parsed parse(std::string_view text, SyntaxArena& arena);

}  // namespace tritonrl::syntax
