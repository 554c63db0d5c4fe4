#pragma once

#include <optional>
#include <span>
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

// Spellings whose arguments decide which operator they are: max, min, to, arange, randint. `known` is false for all
// others.
struct Special {
  bool known = false;
  std::optional<Bound> bound;
};
Special bind_special(std::string_view path, const Given& given, const Facts& facts);

// What a bound call means beyond its spelling: the type of .float(), soft targets of cross_entropy, pairs. `op` becomes
// null where the arguments ask for something that the table does not describe.
void refine(Bound& bound, std::string_view path);

// What a name of torch means.
struct Spelling {
  std::string_view name;                  // of the operator in the table; empty: none
  std::span<const Parameter> parameters;  // how it is called: the operator's own, or the declaration of this spelling,
                                          // whose parameters have the operator's names
  bool in_place = false;                  // f_
};

// "torch.nn.functional.gelu", ".view".
Spelling read_spelling(std::string_view path);

// One name a parameter: "axis" is "dim".
std::string_view parameter_named(std::string_view keyword);

}  // namespace tritonrl::teacher::operators
