#pragma once

#include <cstdint>
#include <string>

#include "base/fields.h"
#include "teacher/families/generate.h"

namespace tritonrl::data {

// How the teacher's solutions are to be, and what it is given.
struct TeacherOptions : teacher::GenerateOptions {
  bool rewrite = false;       // the sources' modules get the teacher's solutions
  std::int64_t generate = 0;  // so many modules are generated; there are no sources then
  int renames = 0;            // so many further pairs of each rewritten module, with other names
  int plants = 0;             // so many further modules of each, with formulas planted in them

  TeacherOptions() { strict = 0; }
  void fields(base::FieldVisitor& field) {
    field("rewrite", rewrite, {.help = "the sources' modules get solutions of the teacher's", .settable = false});
    field(
        "generate", generate,
        {.help = "make so many modules with solutions instead of reading sources, the same for the same --seed; needs "
                 "no Python but to verify",
         .least = 0});
    GenerateOptions::fields(field, /*apart=*/false);
    field("renames", renames,
          {.help = "of --rewrite: so many further pairs of each module, with other names, drawn by --seed",
           .least = 0,
           .most = 1000});
    field("plants", plants,
          {.help = "of --rewrite: so many further modules of each, with formulas planted in them, drawn by --seed",
           .least = 0,
           .most = 1000});
  }
};

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
