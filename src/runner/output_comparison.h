#pragma once

#include <cstdint>

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::runner {

// What became of one output, held against the reference's.
struct OutputComparison {
  std::int64_t wrong = 0;        // elements
  double max_error = 0;          // largest finite difference
  std::int64_t first = -1;       // the first wrong element, counted in order
  double expected = 0, got = 0;  // there
  void fields(base::FieldVisitor& field);
};

}  // namespace tritonrl::runner
