#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "teacher/reader/rewrite.h"
#include "text/prompt.h"

namespace tritonrl::teacher {

enum class Family : std::uint8_t { kFusion, kSingle, kRewrite, kChain };

// How files are written, whatever they compute.
enum class Styles : std::uint8_t {
  kPlain,
  kReal,  // with what people's files have: annotations, constants, makers of inputs, names of their own (surface.h);
          // and more operators alone (templates/lone.txt)
};
inline std::span<const char* const> enum_names(Styles) {
  static constexpr const char* kNames[] = {"plain", "real"};
  return kNames;
}

struct GenerateOptions {
  std::uint64_t seed = 0;
  double fusions = 3, singles = 1, rewrites = 6, chains = 0;  // weights of the families
  double strict = 0.3;  // share of pairs under policy strict, where that makes a difference
  double fast = 0;      // share of pairs with the fast variant
  double drawn = 0;     // share of pairs whose plan is drawn (drawn_plan.h); PlanForm::kLines
  // Only modules with something that is held out, and only of the kinds that are asked for (idioms.h); else never one.
  bool held_out_idioms = false, held_out_operators = false;
  // Only modules with one of these ("celu"), which may be held out; no other operator that is held out then.
  std::vector<std::string> operators;
  bool realistic_sizes = false;  // sizes as on a GPU, instead of small ones
  bool rename = false;           // names are drawn once more, over the whole file (rename_identifiers.h)
  bool counted_names = false;    // plain, and every name counted (counted_module.h), as prompts may have it; no field
  Styles styles = Styles::kPlain;
  PlanForm plan = PlanForm::kNested;
  // Single operators that are a benchmark's task by their hash are drawn, too: at sizes and in spellings of our own.
  bool lone_operators = false;
  // Whether a composition (operator_hash) must not be drawn: BenchmarkHashes::contains. Empty: none is refused.
  std::function<bool(const std::string& operator_hash)> refused;

  // All but `counted_names` and `refused`. `apart`: each is an option of its own, the seed as --generator-seed; else
  // whoever has them sets families, shares, sizes and seed by options that hold several.
  void fields(base::FieldVisitor& field, bool apart);
};

// A module and its solution.
struct GeneratedPair {
  std::string id;  // "generated/S/N": seed and index
  Family family = Family::kFusion;
  KernelPolicy policy = KernelPolicy::kKernelBench;
  Variant variant = Variant::kCanonical;
  std::string module;       // in Python's normal form; KernelBench's layout (get_inputs, get_init_inputs)
  std::string entry_point;  // its class
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

  // What a draw cannot make (a benchmark's composition, a module without a region) is drawn anew from the same index;
  // UserError if the options leave nothing to draw.
  GeneratedPair pair(std::uint64_t index);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::teacher
