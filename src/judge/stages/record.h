#pragma once

#include <optional>

#include "judge/trial.h"

namespace tritonrl::judge {

// What the candidate's Python does, at every size that is looked at. The others are missing where the task has no such
// size, or nobody wants it.
struct Recorded {
  python::RecordOutcome real;
  std::optional<python::RecordOutcome> small, tiny, odd, half;
};

// A file that reached for the recorder is refused, whatever the size: another recording of it may be forged.
std::optional<Finding> intrusion_in(const python::RecordOutcome& recording);

// Stage ast: the rules on the file. Whether it could be recorded is the next stage's question.
Reached<Recorded> record_all(const Trial& trial, TrialLog& log);

}  // namespace tritonrl::judge
