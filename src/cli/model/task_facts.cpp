#include "cli/model/task_facts.h"

#include "judge/options.h"
#include "program/target.h"
#include "python/expression_tracer.h"
#include "python/syntax_reader.h"
#include "teacher/traced/as_run.h"
#include "teacher/traced/traced_facts.h"

namespace tritonrl::cli {

struct TaskFacts::Impl {
  explicit Impl(const python::RecorderOptions& machine)
      : recorder(machine),
        reader({.interpreter = machine.interpreter, .policy = machine.policy, .library = machine.library}),
        tracer(recorder, program::find_target(judge::JudgeOptions().target)) {}

  python::Recorder recorder;
  python::SyntaxReader reader;
  python::ExpressionTracer tracer;
};

TaskFacts::TaskFacts(const MachineOptions& machine) : machine_(machine) {}
TaskFacts::~TaskFacts() = default;

TaskFacts::Impl& TaskFacts::impl() {
  if (!impl_) impl_ = std::make_unique<Impl>(recorder_options(machine_));
  return *impl_;
}

std::vector<text::LeafFact> TaskFacts::of(const record::Task& task) {
  return teacher::traced_leaf_facts(task, impl().reader, impl().tracer);
}

std::string TaskFacts::as_run(const record::Task& task) {
  return teacher::text_as_run(task, impl().reader, impl().tracer);
}

}  // namespace tritonrl::cli
