#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "teacher/reader/rewrite.h"
#include "text/prompt.h"

namespace tritonrl::teacher {

enum class Family : std::uint8_t { kFusion, kSingle, kRewrite, kChain };

struct GenerateOptions {
  std::uint64_t seed = 0;
  double fusions = 3, singles = 1, rewrites = 6, chains = 0;  // weights of the families
  double strict = 0.3;           // share of pairs under policy strict, where that makes a difference
  double fast = 0;               // share of pairs with the fast variant
  bool held_out_idioms = false;  // only modules with a held-out spelling, operator or idiom; else never one (idioms.h)
  bool realistic_sizes = false;  // sizes as on a GPU, instead of small ones
  bool rename = false;           // names are drawn once more, over the whole file (rename_identifiers.h)
  PlanForm plan = PlanForm::kNested;
  // Single operators that are a benchmark's task by their hash are drawn, too: at sizes and in spellings of our own.
  bool lone_operators = false;
  // Whether a composition (operator_hash) must not be drawn: BenchmarkHashes::contains. Empty: none is refused.
  std::function<bool(const std::string& operator_hash)> refused;
};

// A module and its solution.
struct GeneratedPair {
  std::string id;  // "generated/S/N": seed and index
  Family family = Family::kFusion;
  KernelPolicy policy = KernelPolicy::kKernelBench;
  Variant variant = Variant::kCanonical;
  std::string module;  // in Python's normal form; KernelBench's layout (Model, get_inputs, get_init_inputs)
  Rewritten answer;
  std::string operator_hash;       // of its composition (abstract/difficulty.h)
  bool lone_of_benchmark = false;  // one operator alone, which is refused otherwise
  int level = 1;
  std::vector<std::string> idioms;    // that it was made of
  std::vector<text::LeafFact> facts;  // for its prompt
};

// Pairs without end: the N-th pair of a seed is the same whatever was asked before, on every machine.
class PairGenerator {
 public:
  explicit PairGenerator(const GenerateOptions& options);
  ~PairGenerator();

  // Never fails: what a draw cannot make (a benchmark's composition, a module without a region) is drawn anew from the
  // same index.
  GeneratedPair pair(std::uint64_t index);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::teacher
