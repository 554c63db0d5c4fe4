#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::record {

// One line of sft_<split>.jsonl: what a model is asked and what it should answer.
struct TrainingPair {
  std::string id;                     // unique in its data set: "kernelbook/17"
  std::string instruction;            // the whole user message
  std::string output;                 // the answer
  std::string pytorch_code;           // the task's own text
  int level = 1;                      // 1, 2 or 3
  std::string entry_point;            // the task's class; empty: `Model`
  std::string source;                 // "kernelbook", "pairs", "kernelbench", "modules", "generated", "rewritten"
  std::string repository;             // "owner/name"; may be empty
  std::vector<std::string> licenses;  // as the data set names them
  // Of solutions that the teacher wrote; empty for others.
  std::string policy;   // "kernelbench" or "strict"
  std::string variant;  // "canonical" or "fast"
  std::string family;   // of generated modules: "fusions", "singles", "rewrites"
  void fields(base::FieldVisitor& field);
  bool operator==(const TrainingPair&) const = default;
};

std::string to_json(const TrainingPair& pair);
// Lines of other programs may lack everything but id, instruction, output and pytorch_code.
base::Result<TrainingPair> training_pair_from_json(std::string_view text);

}  // namespace tritonrl::record
