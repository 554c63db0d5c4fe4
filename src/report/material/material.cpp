#include "report/material/material.h"

namespace tritonrl::report {

std::vector<std::pair<std::string, const AnswerTally*>> Material::tallies() const {
  std::vector<std::pair<std::string, const AnswerTally*>> out;
  for (const Run& run : runs) {
    if (run.answers) out.emplace_back("run " + run.name, &*run.answers);
  }
  for (const Evaluation& evaluation : evaluations)
    out.emplace_back("evaluation " + evaluation.name, &evaluation.answers);
  return out;
}

}  // namespace tritonrl::report
