#pragma once

#include <set>

#include "syntax/arena.h"

namespace tritonrl::teacher {

// Parts of a module that do nothing but give its parameters their first values: statements of constructors
// (`self.apply(self._init_weights)`, `nn.init.zeros_(self.bias)`, a loop of such), and the functions, methods,
// variables and imports that nothing else names. Who writes kernels for a module takes the parameters as they are. A
// statement that may do anything else, such as make an attribute, is no such part.
std::set<const syntax::SyntaxNode*> first_values(const syntax::SyntaxNode& module);

// The module without these parts. It makes parameters of the same shapes.
const syntax::SyntaxNode* without_parts(const syntax::SyntaxNode& module,
                                        const std::set<const syntax::SyntaxNode*>& parts, syntax::SyntaxArena& arena);

}  // namespace tritonrl::teacher
