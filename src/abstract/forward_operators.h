#pragma once

#include <string>
#include <vector>

#include "abstract/tensor_rules.h"
#include "program/operator_table.h"
#include "syntax/tree.h"

namespace tritonrl::abstract {

// One operator that a module's forward calls, as far as its text tells.
struct ForwardOperator {
  std::string name;  // "conv2d", "relu", "add", "matmul": one name whatever the spelling (nn.ReLU, F.relu, x.relu());
                     // of what is not known: "?name"
  program::OperatorKind kind = program::OperatorKind::kPointwise;
  bool known = true;      // in the table of names
  bool repeated = false;  // in a loop or comprehension whose length the text does not tell
  int line = 0;
  bool operator==(const ForwardOperator&) const = default;
};

struct ForwardOperators {
  std::string entry_point;                           // the class that was read; empty: there is none
  bool has_inputs = false, has_init_inputs = false;  // the text defines get_inputs / get_init_inputs
  std::vector<ForwardOperator> operators;            // in the order of execution, as far as the text tells
};

// What `forward` of the entry point calls, told from the syntax tree alone: submodules by what the constructor assigns
// (nn.Sequential, ModuleList and loops over them unrolled where the count is plain), helper methods and functions,
// classes of the same text by their own forward, operators of expressions on tensors. Total: never throws on any tree.
// `entry_point` empty: `Model`, or else the last module class that the text defines.
// With rules the same is followed on tensors of known shape and type, and no operators are noted.
ForwardOperators forward_operators(const syntax::SyntaxNode& module, const std::string& entry_point,
                                   TensorRules* rules = nullptr);

}  // namespace tritonrl::abstract
