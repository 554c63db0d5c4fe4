#pragma once

#include "syntax/arena.h"

namespace tritonrl::teacher {

// The module in the words that most modules use; it computes the same.
// - Second names of torch's operators give way to the first: `clip`, `true_divide`, `multiply`, `concat`,
//   `clamp_min(x, a)`, `nn.functional.relu`, `relu(input=x)`; `addcmul` and `addcdiv` are written out.
// - A choice that is assigned or returned (`y = a if c else b`) is an if statement.
// - A function of one expression inside another (a lambda with a name, a nested def) is written where it is called.
// Who learns from modules then meets fewer forms that it has not seen.
const syntax::SyntaxNode* usual_form(const syntax::SyntaxNode& module, syntax::SyntaxArena& arena);

}  // namespace tritonrl::teacher
