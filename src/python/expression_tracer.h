#pragma once

#include <string>

#include "python/recorder.h"

namespace tritonrl::python {

struct TraceOutcome {
  bool traced = false;
  // What the traced process tells: a JSON array of [line, column, end line, end column, [value, …]], places as
  // SyntaxNode has them, each with its distinct values in the order of their first appearance. The values are those of
  // recorder/expressions.py. Untrusted; teacher/traced/traced_facts.h makes facts of it.
  std::string values;
  // Where it was not traced: what happened, in which phase ("load task", "initialise", "forward") and line.
  RecordOutcome::Kind kind = RecordOutcome::Kind::kRecorded;
  std::string phase, exception, message;
  int line = 0;
};

// Runs constructor and forward of a task as a recording does, on tensors without values, and tells what every
// expression in a function of its text was: kind, type, shape. Values of tensors that Python asks for are assumed.
// Thread-safe.
class ExpressionTracer {
 public:
  // Its processes are those of the recorder, which must live longer.
  ExpressionTracer(Recorder& recorder, const program::Target& target) : recorder_(recorder), target_(target) {}

  // InfrastructureError if the machine fails; everything that the task can do is an outcome.
  TraceOutcome trace(const record::Task& task);

 private:
  Recorder& recorder_;
  const program::Target& target_;
};

}  // namespace tritonrl::python
