#pragma once

#include "python/expression_tracer.h"
#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

// What a traced run told, by the nodes of the text's tree that lie in the same places. What cannot be understood (it
// comes from an untrusted process) is left out. `module` is the tree of exactly the text that was traced.
Facts traced_facts(const syntax::SyntaxNode& module, const python::TraceOutcome& outcome);

}  // namespace tritonrl::teacher
