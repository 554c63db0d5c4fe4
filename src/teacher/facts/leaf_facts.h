#pragma once

#include <string_view>
#include <vector>

#include "teacher/facts/facts.h"
#include "text/prompt.h"

namespace tritonrl::teacher {

// What a prompt can tell of a module's values (text/prompt.h), in the order of the text: of every function that was
// evaluated, constructors left out, its arguments and the attributes of `self` that it reads; and, as computed ones,
// the tensors that it gives names to and those that modules give inside longer expressions.
std::vector<text::LeafFact> leaf_facts(const syntax::SyntaxNode& module, const Facts& facts,
                                       std::string_view entry_point);

}  // namespace tritonrl::teacher
