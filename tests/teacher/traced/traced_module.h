#pragma once

#include <optional>
#include <string>

#include "python/expression_tracer.h"
#include "python/syntax_reader.h"
#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

// A module as the rewriter gets it: normal text, its tree, the facts of a traced run.
struct TracedModule {
  std::string error;   // why there is none
  std::string normal;  // the text in Python's normal form
  std::optional<syntax::SyntaxTree> tree;
  Facts facts;
  python::TraceOutcome outcome;
};

// By the test recorder and the test parser.
TracedModule trace_module(const std::string& source, const std::string& entry_point = "");

// The first expression with this text; nullptr: none.
const syntax::SyntaxNode* find_expression(const TracedModule& module, const std::string& text);
// All facts, one a line: "12:8 x.relu() = float32[2, 3]".
std::string describe(const TracedModule& module);
// "float32[2, 3]", "int 3", "LeakyReLU{negative_slope: float 0.01}".
std::string describe(const Fact& fact);

}  // namespace tritonrl::teacher
