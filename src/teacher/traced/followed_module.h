#pragma once

#include <optional>
#include <string>

#include "python/expression_tracer.h"
#include "python/syntax_reader.h"
#include "record/task.h"
#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

// A module's text with what one run of it told, as the rewriter wants it.
struct FollowedModule {
  std::string text, entry_point;
  std::optional<syntax::SyntaxTree> tree;  // none: it does not parse, or its run failed
  Facts facts;
};
FollowedModule follow_module(const record::Task& task, python::SyntaxReader& reader, python::ExpressionTracer& tracer);

}  // namespace tritonrl::teacher
