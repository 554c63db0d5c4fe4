#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "syntax/arena.h"

namespace tritonrl::syntax {

// The module said plainly: what changes nothing that it computes is left out, and what people say in several ways is
// said in one, so that who learns from modules need not learn that.
// - Docstrings, annotations of functions, imports that nothing uses, `if __name__ == "__main__":` go; an annotated
//   assignment becomes one, or goes where it has no value.
// - `super(Own, self)` in a method of Own is `super()`.
// Annotations stay where something may read them: on decorated functions and classes, in classes that are no modules,
// everywhere in a file that compiles scripts.
const SyntaxNode* plain_form(const SyntaxNode& module, SyntaxArena& arena);

// The same of a text, in Python's normal form. None: it could not be read.
std::optional<std::string> plain_text(std::string_view text);

}  // namespace tritonrl::syntax
