#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "data/prepare/example.h"

namespace tritonrl::data {

// Which licences an example may have. What states none and comes from a source without a column for them always passes.
struct LicenseFilter {
  std::vector<std::string> allowed = {"permissive"};  // SPDX names; "permissive" stands for a list; "all" for any

  void fields(base::FieldVisitor& field) {
    field("allowed", allowed, {.help = "SPDX names that rows may have; permissive, all", .option = "licenses"});
  }

  // All licences of the example must be allowed; one that should state its licence and does not is refused, but by
  // "all".
  bool accepts(const Example& example) const;
};

}  // namespace tritonrl::data
