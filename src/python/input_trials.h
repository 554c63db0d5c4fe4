#pragma once

#include <string>

#include "python/recorder.h"

namespace tritonrl::python {

struct TriedInputs {
  std::string
      text;  // definitions of get_inputs and get_init_inputs that go behind the module's text; empty: none were found
  std::string message;  // why not: what the most promising trial said
};

// Finds constructor arguments and inputs for a module class that comes without them: likely ones are tried, on tensors
// without values, until forward gives a tensor of numbers (recorder/trials.py). The text must import torch and nn.
// Thread-safe.
class InputTrials {
 public:
  // Its processes are those of the recorder, which must live longer.
  InputTrials(Recorder& recorder, const program::Target& target) : recorder_(recorder), target_(target) {}

  // `task.entry_point` names the class. Where the text defines get_inputs or get_init_inputs, that holds and only the
  // other is found. `larger`: inputs are as large as people's, where the module runs on such. InfrastructureError if
  // the machine fails; all else is an outcome.
  TriedInputs find(const record::Task& task, bool larger = false);

 private:
  Recorder& recorder_;
  const program::Target& target_;
};

}  // namespace tritonrl::python
