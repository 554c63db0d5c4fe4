#include "cli/model/task_facts.h"

#include "judge/options.h"
#include "program/target.h"
#include "python/expression_tracer.h"
#include "python/syntax_reader.h"
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

std::vector<text::LeafFact> TaskFacts::of(const record::Task& task) {
  if (!impl_) impl_ = std::make_unique<Impl>(recorder_options(machine_));
  return teacher::traced_leaf_facts(task, impl_->reader, impl_->tracer);
}

}  // namespace tritonrl::cli
