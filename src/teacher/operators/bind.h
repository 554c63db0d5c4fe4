#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "teacher/operators/table.h"

namespace tritonrl::teacher::operators {

// The arguments of a call as they stand in the text.
struct Given {
  std::vector<const syntax::SyntaxNode*> positional;
  std::vector<std::pair<std::string_view, const syntax::SyntaxNode*>> keywords;
};

// None: one is starred.
std::optional<Given> read_arguments(const syntax::SyntaxNode& call);

// Arguments in the order of the operator's parameters, for a spelling that is called with these parameters. None: too
// many, too few, an unknown keyword, a value of unknown kind, one that asks for what the table does not describe
// (out=).
std::optional<Bound> bind_given(const Operator& op, std::span<const Parameter> parameters, const Given& given,
                                const Facts& facts);

// Whether the arguments fit the operator: tensors where it needs them, and no meaning that only torch knows.
bool fits(const Bound& bound);

}  // namespace tritonrl::teacher::operators
