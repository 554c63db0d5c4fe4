#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "program/program.h"
#include "runner/step_place.h"

namespace tritonrl::runner {

// A tensor's elements in order, as if it were contiguous.
struct TensorData {
  program::DType dtype = program::DType::kFloat32;
  std::vector<std::int64_t> sizes;
  std::string bytes;
};

struct LaunchReport {
  StepPlace at;
  int variant = 0;
  bool completed = false;
  std::vector<machine::Finding> findings;
  machine::Counters counters;
  std::string printed;
  std::vector<machine::SourcePosition> covered;  // see machine::LaunchOutcome
  double milliseconds = 0;
  void fields(base::FieldVisitor& field);  // without `covered`, which launches share
};

struct ForwardResult {
  int forward = 0;
  std::vector<TensorData> inputs;   // where wanted, in the order of tensors_of(Forward::inputs)
  std::vector<TensorData> outputs;  // the same of Forward::outputs
};

// A tensor that at the end of the run does not hold what forward was given or what it returned.
struct Overwritten {
  int forward = 0;
  bool input = false;  // else an output
  int tensor = 0;      // in the order of tensors_of
  void fields(base::FieldVisitor& field);
  bool operator==(const Overwritten&) const = default;
};

// A real result is laid out otherwise than recorded. Where only strides differ a recording with these mends it.
struct Mismatch {
  bool only_strides = false;
  std::vector<std::vector<std::int64_t>> strides;  // of each result of the call; empty for what is no tensor
  void fields(base::FieldVisitor& field);
};

// A storage that a launch was given, before and after it ran alone.
struct AloneStorage {
  int storage = 0;
  program::DType dtype = program::DType::kFloat32;  // of the first argument that views it
  std::string argument;                             // that argument's name
  std::string before, after;                        // all of its bytes
  std::string written;                              // one byte each: not zero where the launch stored something
  void fields(base::FieldVisitor& field);           // all but the bytes
};

// Some rows of a sampled run's last forward (SampledRows).
struct RowValues {
  std::string unknown;      // why there are none; else empty
  bool whole = false;       // all programs of all launches were executed
  bool incomplete = false;  // and left out a part of an output
  std::vector<std::int64_t> rows;
  std::vector<TensorData> inputs, outputs;  // those rows of each, in the order of tensors_of
  std::vector<std::string> written;         // by output, a byte an element: not zero where its value is known
  void fields(base::FieldVisitor& field);   // all but the tensors
};

struct RunOutcome {
  enum class Kind : std::uint8_t {
    kCompleted,
    kFault,          // a kernel did what it must not; the last finding of the last launch says what
    kMismatch,       // an ATen call's real result differs from the recording: `mismatch`
    kOtherAnswer,    // a recorded answer does not hold on this data; `answer` is the real one
    kAtenError,      // an operator raised
    kNotExecutable,  // a launch without an image, or with an operation that the executor does not know
    kOutOfMemory,
    kTimeout,
    kCrashed,    // the process died
    kMalformed,  // request or answer are not what they must be
  };
  Kind kind = Kind::kCompleted;
  std::string message;
  std::optional<StepPlace> at;           // the step that stopped the run
  std::vector<LaunchReport> launches;    // executed ones, in order
  std::vector<ForwardResult> forwards;   // those that ran to their end, in order
  std::vector<Overwritten> overwritten;  // where wanted
  std::optional<Mismatch> mismatch;
  std::optional<program::Value> answer;
  std::vector<AloneStorage> alone;
  std::optional<RowValues> rows;  // where wanted, of a run that was completed
  std::vector<TensorData> state;  // where wanted, in the order of Program::state
  std::string log;                // what the process printed
  std::int64_t peak_bytes = 0;    // resident memory, what is shared with the warm process included
  double milliseconds = 0;        // of this run, with what it cost to start its process

  void fields(
      base::FieldVisitor& field);  // kind, message, at, mismatch; the others depend on the request (outcome_wire.h)
};

std::span<const char* const> enum_names(RunOutcome::Kind);
std::string to_string(RunOutcome::Kind kind);  // "completed"

}  // namespace tritonrl::runner
