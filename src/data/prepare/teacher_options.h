#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/fields.h"
#include "teacher/families/generate.h"

namespace tritonrl::data {

// teacher::PlanForm by name.
enum class PlanChoice { kNested, kLines };
inline std::span<const char* const> enum_names(PlanChoice) {
  static constexpr const char* kNames[] = {"nested", "lines"};
  return kNames;
}
inline teacher::PlanForm plan_form(PlanChoice choice) {
  return choice == PlanChoice::kLines ? teacher::PlanForm::kLines : teacher::PlanForm::kNested;
}

// How the teacher's solutions are to be, and what it is given.
struct TeacherOptions {
  bool rewrite = false;       // the sources' modules get the teacher's solutions
  std::int64_t generate = 0;  // so many modules are generated; there are no sources then
  std::uint64_t seed = 0;     // of what is generated
  double fusions = 3, singles = 1, rewrites = 6, chains = 0;  // weights of the families of generated modules
  double strict = 0;                                          // share of solutions under policy strict
  double fast = 0;                                            // share of fast variants
  bool held_out_idioms = false;                               // generate from the idioms that training never sees
  bool realistic_sizes = false;                               // tensors as large as on a GPU; else small ones
  bool rename = false;                                        // generated modules get other names over the whole file
  int renames = 0;              // so many further pairs of each rewritten module, with other names
  bool lone_operators = false;  // generated single operators may be those of a benchmark, at other sizes
  PlanChoice plan = PlanChoice::kNested;

  void fields(base::FieldVisitor& field) {
    field("rewrite", rewrite, {.help = "the sources' modules get solutions of the teacher's", .settable = false});
    field(
        "generate", generate,
        {.help = "make so many modules with solutions instead of reading sources, the same for the same --seed; needs "
                 "no Python but to verify",
         .least = 0});
    field("seed", seed, {.help = "of what is generated", .settable = false});
    // in one option: --families fusions=3,singles=1,rewrites=6
    field("fusions", fusions, {.help = "weight of fusions", .least = 0, .settable = false});
    field("singles", singles, {.help = "weight of single operators", .least = 0, .settable = false});
    field("rewrites", rewrites, {.help = "weight of rewrites", .least = 0, .settable = false});
    // chosen by name: --policy, --variants, --sizes
    field("strict", strict,
          {.help = "share of solutions under policy strict", .least = 0, .most = 1, .settable = false});
    field("fast", fast, {.help = "share of fast variants", .least = 0, .most = 1, .settable = false});
    field("realistic_sizes", realistic_sizes, {.help = "realistic tensors for a GPU", .settable = false});
    field("chains", chains, {.help = "weight of chains", .least = 0, .settable = false});
    field("rename", rename, {.help = "of --generate: names are drawn once more, over the whole file"});
    field("renames", renames,
          {.help = "of --rewrite: so many further pairs of each module, with other names, drawn by --seed",
           .least = 0,
           .most = 1000});
    field("lone_operators", lone_operators,
          {.help = "of --generate: also single operators that are a KernelBench task by their hash, at other sizes"});
    field("plan", plan,
          {.help = "of the plan before the teacher's code: nested: a line a kernel; lines: a line an operator",
           .option = "plan"});
    field("held_out_idioms", held_out_idioms,
          {.help = "of --generate: only modules with a spelling that training never sees"});
  }
};

// Without `refused`.
inline teacher::GenerateOptions generate_options(const TeacherOptions& options) {
  teacher::GenerateOptions out;
  out.seed = options.seed;
  out.fusions = options.fusions;
  out.singles = options.singles;
  out.rewrites = options.rewrites;
  out.chains = options.chains;
  out.rename = options.rename;
  out.lone_operators = options.lone_operators;
  out.plan = plan_form(options.plan);
  out.strict = options.strict;
  out.fast = options.fast;
  out.held_out_idioms = options.held_out_idioms;
  out.realistic_sizes = options.realistic_sizes;
  return out;
}

// As they are kept (record/training_pair.h).
inline std::string name_of(teacher::KernelPolicy policy) {
  return policy == teacher::KernelPolicy::kStrict ? "strict" : "kernelbench";
}
inline std::string name_of(teacher::Variant variant) {
  return variant == teacher::Variant::kFast ? "fast" : "canonical";
}
inline std::string name_of(teacher::Family family) {
  static constexpr const char* kNames[] = {"fusions", "singles", "rewrites", "chains"};
  return kNames[static_cast<std::size_t>(family)];
}

}  // namespace tritonrl::data
