#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "syntax/arena.h"

namespace tritonrl::teacher {

// Of a module with counted names.
struct CountedNames {
  const std::map<std::string, std::string, std::less<>>& of;  // what stood for each
  const std::set<std::string_view>& top;                      // defined at the top of the file
  const std::set<std::string_view>& classes;                  // whose constructors' arguments have names of their own
};

// The whole answer with the names of attributes, methods and constructors' arguments that stood for counted ones.
const syntax::SyntaxNode* with_restored_names(const syntax::SyntaxNode& answer, const CountedNames& names,
                                              syntax::SyntaxArena& arena);

}  // namespace tritonrl::teacher
