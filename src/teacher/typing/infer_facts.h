#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abstract/forward_operators.h"
#include "syntax/tree.h"
#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

struct Inferred {
  Facts facts;
  abstract::ForwardOperators forward;  // what labels and hashes are told from
  bool complete = false;               // every tensor expression that was met has a fact
  std::string missing;                 // else the first that has none: "line 12: torch.foo(x)"
};

struct InferOptions {
  bool everywhere = false;  // facts of what is evaluated outside forward, too; else of the modules of torch.nn alone
                            // that are constructed there
};

// What a module's expressions are, told from its text alone: the constructor is followed with the arguments of
// get_init_inputs, forward with the inputs of get_inputs, as abstract/evaluator.h does it, on tensors of known shape
// and type. Total.
Inferred infer_facts(const syntax::SyntaxNode& module, std::string_view entry_point, const InferOptions& options = {});

}  // namespace tritonrl::teacher
