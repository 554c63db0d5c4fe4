#pragma once

#include <string>

#include "syntax/tree.h"

namespace tritonrl::syntax {

// The text that Python's own `ast.unparse` gives for the tree, byte for byte: the normal form of prompts and answers.
// Any statement, expression or module. TRL_CHECK for kinds that are no nodes of Python.
std::string unparse(const SyntaxNode& node);
// The same, appended; a statement is indented by so many levels of four blanks.
void unparse_to(const SyntaxNode& node, std::string& out, int indent = 0);

}  // namespace tritonrl::syntax
