#pragma once

#include <string_view>

#include "syntax/arena.h"
#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

// The module for the configuration that it was run in, which `facts` tell of: it computes the same where it is made and
// called so.
// - A choice that flags, texts, None, classes and numbers of the configuration decide (`if self.bias is not None`)
// gives
//   way to the branch that was taken. One that sizes, types or values of tensors decide stays: others may come.
// - Assertions go, and branches that do nothing but raise and were never entered.
// - Functions and classes that were never run and that nothing names go; so do attributes that nothing reads and that
//   are neither parameters nor modules.
const syntax::SyntaxNode* taken_branches(const syntax::SyntaxNode& module, const Facts& facts,
                                         std::string_view entry_point, syntax::SyntaxArena& arena);

}  // namespace tritonrl::teacher
