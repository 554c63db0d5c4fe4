#include "cli/model/teacher_answers.h"

#include "base/error.h"
#include "optimize/teacher_candidates.h"
#include "program/target.h"
#include "python/expression_tracer.h"
#include "python/recorder.h"
#include "python/syntax_reader.h"

namespace tritonrl::cli {
namespace {

std::vector<std::string> solutions(const record::Task& task, bool strict, python::SyntaxReader& reader,
                                   python::ExpressionTracer& tracer) {
  std::vector<std::string> out;
  try {
    const optimize::TeacherCandidates found = optimize::teacher_candidates(task, strict, reader, tracer);
    for (const auto* list : {&found.candidates, &found.canonical}) {
      for (const optimize::Candidate& one : *list) out.push_back("```python\n" + one.code + "\n```\n");
    }
  } catch (const base::UserError&) {  // it does not run: the judge says so of every answer
  }
  return out;
}

}  // namespace

evaluate::Answers teacher_answers(std::span<const evaluate::EvaluationTask> tasks,
                                  const evaluate::EvaluateOptions& options, bool strict, const MachineOptions& machine,
                                  const std::string& target) {
  python::RecorderOptions recording = recorder_options(machine);
  recording.preload_compiler = false;
  python::Recorder recorder(recording);
  python::SyntaxReader reader(
      {.interpreter = recording.interpreter, .policy = recording.policy, .library = recording.library});
  python::ExpressionTracer tracer(recorder, program::find_target(target));
  std::vector<evaluate::Answers::Given> given;
  for (const evaluate::EvaluationTask& task : tasks) {
    const std::vector<std::string> texts = solutions(task.task, strict, reader, tracer);
    if (texts.empty()) continue;
    if (options.greedy) given.push_back({.id = task.task.id, .text = texts.front(), .greedy = true});
    for (int i = 0; i < options.samples; ++i)
      given.push_back({.id = task.task.id, .text = texts[static_cast<std::size_t>(i) % texts.size()], .index = i});
  }
  return evaluate::Answers(given);
}

}  // namespace tritonrl::cli
