#include "teacher/traced/as_run.h"

#include <array>

#include "syntax/unparse.h"
#include "teacher/families/taken_branches.h"
#include "teacher/traced/traced_facts.h"

namespace tritonrl::teacher {

std::string text_as_run(const record::Task& task, python::SyntaxReader& reader, python::ExpressionTracer& tracer) {
  const std::array<std::string_view, 1> source = {task.source};
  const std::vector<python::ParsedSource> parsed = reader.parse(source);
  if (!parsed[0].tree) return task.source;
  const python::TraceOutcome traced = tracer.trace(task);
  if (!traced.traced) return task.source;
  const syntax::SyntaxNode& module = parsed[0].tree->root();
  syntax::SyntaxArena arena;
  return syntax::unparse(*taken_branches(module, traced_facts(module, traced), task.entry_point, arena));
}

}  // namespace tritonrl::teacher
