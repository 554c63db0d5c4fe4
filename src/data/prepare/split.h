#pragma once

#include <cstdint>
#include <string>

#include "base/fields.h"
#include "record/data_folder.h"

namespace tritonrl::data {

struct SplitOptions {
  double validation = 0.05;  // share of keys, not of examples
  double test = 0.05;
  std::uint64_t seed = 0;  // another seed, another division

  void fields(base::FieldVisitor& field) {
    field("validation", validation, {.help = "share of projects for validation", .least = 0, .most = 1});
    field("test", test, {.help = "share of projects for tests", .least = 0, .most = 1});
    field("seed", seed, {.help = "another seed, another division", .option = "split_seed"});
  }
};

// Where everything with this key goes. The key is what must not be on two sides: the project of a KernelBook row, the
// composition (operator hash) of a generated task. A hash of the key alone decides, so the answer is the same for every
// run, order and machine, and for rows that come later.
record::Split split_of(const std::string& key, const SplitOptions& options);

// The key of an example: its project, else its composition, else itself.
std::string split_key(const std::string& id, const std::string& repository, const std::string& operator_hash);

// The key of a repository: its name without the owner, in lower case, so that a fork goes where its origin goes.
std::string project_key(const std::string& repository);

}  // namespace tritonrl::data
