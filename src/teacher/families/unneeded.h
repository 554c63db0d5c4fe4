#pragma once

#include <string_view>

#include "syntax/arena.h"
#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

// A module without functions and classes that were never run and that nothing names, and without attributes that
// nothing reads and that are neither parameters nor modules. `original` is the module that `facts` were found in;
// `module` may be a part of it that shares its nodes.
const syntax::SyntaxNode* without_unneeded(const syntax::SyntaxNode& original, const syntax::SyntaxNode& module,
                                           const Facts& facts, std::string_view entry_point,
                                           syntax::SyntaxArena& arena);

// Whether the run that `facts` tell of came here.
bool was_run(const syntax::SyntaxNode& node, const Facts& facts);

}  // namespace tritonrl::teacher
