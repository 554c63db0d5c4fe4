#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "optimize/optimize.h"

namespace tritonrl::optimize {

// One candidate, in a line of results.
struct ResultCandidate {
  std::string source, kind, rule, message;
  double us = 0;  // 0: not timed

  void fields(base::FieldVisitor& field) {
    field("source", source);
    field("kind", kind);
    field("rule", rule, base::kWhereSet);
    field("message", message, base::kWhereSet);
    field("us", us, base::kWhereSet);
  }
};

// What became of one module of many.
struct ModuleResult {
  std::string id, module;
  bool proven = false;    // a kernel is right everywhere
  bool faster = false;    // and faster than eager torch, and than torch.compile where that was measured
  std::string timing;     // "modelled", "measured"; empty: nothing was timed
  double eager_us = 0;    // 0: not known
  double compile_us = 0;  // likewise
  double kernel_us = 0;   // of the best proven one
  std::string source;     // who wrote it
  std::string file;       // that was written
  std::string problem;    // why nothing is proven
  double seconds = 0;
  int repeated = 0, without_time = 0;
  std::vector<ResultCandidate> candidates;

  void fields(base::FieldVisitor& field);
};

// `reference`: the module against itself, where nothing passed.
ModuleResult result_of(const std::string& id, const Subject& subject, const Optimized& optimized,
                       const record::Verdict* reference, const std::string& file);
// Of a module that cannot be worked on.
ModuleResult refused(const std::string& id, const std::string& place, const std::string& problem);

// How many were proven and are faster than what, and by how much, for a person.
std::string summary_text(std::span<const ModuleResult> results);

}  // namespace tritonrl::optimize
