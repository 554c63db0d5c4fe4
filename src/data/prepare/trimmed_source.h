#pragma once

#include <functional>
#include <string>

#include "syntax/arena.h"

namespace tritonrl::data {

// A file's tree without what hinders a class from standing alone and does not change what it computes:
//   decorators and further base classes (mixins) of packages that are not at hand,
//   decorators of classes other than those of Python and torch: they register the class somewhere,
//   a logger of the project's own, which becomes one of Python's.
// `at_hand` says whether a module's names can be had: by import, or by cutting them out. Nodes that stay are shared.
const syntax::SyntaxNode* trimmed_source(const syntax::SyntaxNode& module,
                                         const std::function<bool(const syntax::SyntaxNode& import)>& at_hand,
                                         const std::function<bool(std::string_view module)>& importable,
                                         syntax::SyntaxArena& arena);

}  // namespace tritonrl::data
