#pragma once

#include <cstdint>
#include <string>

#include "base/fields.h"
#include "teacher/families/generate.h"

namespace tritonrl::data {

// How the teacher's solutions are to be, and what it is given.
struct TeacherOptions {
  bool rewrite = false;                           // the sources' modules get the teacher's solutions
  std::int64_t generate = 0;                      // so many modules are generated; there are no sources then
  std::uint64_t seed = 0;                         // of what is generated
  double fusions = 3, singles = 1, rewrites = 6;  // weights of the families of generated modules
  double strict = 0;                              // share of solutions under policy strict
  double fast = 0;                                // share of fast variants
  bool held_out_idioms = false;                   // generate from the idioms that training never sees
  bool realistic_sizes = false;                   // tensors as large as on a GPU; else small ones

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
  return family == teacher::Family::kSingle ? "singles" : family == teacher::Family::kRewrite ? "rewrites" : "fusions";
}

}  // namespace tritonrl::data
