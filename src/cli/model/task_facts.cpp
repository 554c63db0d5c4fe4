#include "cli/model/task_facts.h"

#include "judge/options.h"
#include "program/target.h"
#include "python/expression_tracer.h"
#include "python/syntax_reader.h"
#include "teacher/traced/as_run.h"
#include "teacher/traced/traced_facts.h"

namespace tritonrl::cli {

struct TaskFacts::Impl {
  Impl(const python::RecorderOptions& machine, python::Recorder* shared)
      : own(shared == nullptr ? std::make_unique<python::Recorder>(machine) : nullptr),
        reader({.interpreter = machine.interpreter, .policy = machine.policy, .library = machine.library}),
        tracer(shared == nullptr ? *own : *shared, program::find_target(judge::JudgeOptions().target)) {}

  std::unique_ptr<python::Recorder> own;
  python::SyntaxReader reader;
  python::ExpressionTracer tracer;
};

TaskFacts::TaskFacts(const MachineOptions& machine) : machine_(machine) {}
TaskFacts::TaskFacts(const MachineOptions& machine, python::Recorder& recorder)
    : machine_(machine), shared_(&recorder) {}
TaskFacts::~TaskFacts() = default;

TaskFacts::Impl& TaskFacts::impl() {
  if (!impl_) impl_ = std::make_unique<Impl>(recorder_options(machine_), shared_);
  return *impl_;
}

std::vector<text::LeafFact> TaskFacts::of(const record::Task& task) {
  return teacher::traced_leaf_facts(task, impl().reader, impl().tracer);
}

teacher::FollowedModule TaskFacts::followed(const record::Task& task) {
  return teacher::follow_module(task, impl().reader, impl().tracer);
}

std::string TaskFacts::as_run(const record::Task& task) {
  return teacher::text_as_run(task, impl().reader, impl().tracer);
}

}  // namespace tritonrl::cli
