#pragma once

#include <string>

#include "python/expression_tracer.h"
#include "python/syntax_reader.h"
#include "record/task.h"

namespace tritonrl::teacher {

// The task's text for the configuration of its own run (families/taken_branches.h), in Python's normal form. As it is
// where it does not parse or its run fails.
std::string text_as_run(const record::Task& task, python::SyntaxReader& reader, python::ExpressionTracer& tracer);

}  // namespace tritonrl::teacher
