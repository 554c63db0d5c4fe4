#pragma once

#include "python/expression_tracer.h"
#include "python/syntax_reader.h"
#include "record/task.h"
#include "teacher/facts/facts.h"
#include "text/prompt.h"

namespace tritonrl::teacher {

// What a traced run told, by the nodes of the text's tree that lie in the same places. What cannot be understood (it
// comes from an untrusted process) is left out. `module` is the tree of exactly the text that was traced.
Facts traced_facts(const syntax::SyntaxNode& module, const python::TraceOutcome& outcome);

// What a prompt can tell of a task's values, by one run of it (text/prompt.h): for whoever asks a model about a module
// that was not generated. Empty where it does not parse or its run fails.
std::vector<text::LeafFact> traced_leaf_facts(const record::Task& task, python::SyntaxReader& reader,
                                              python::ExpressionTracer& tracer);

}  // namespace tritonrl::teacher
