#pragma once

#include <optional>
#include <string_view>

#include "teacher/operators/bind.h"

namespace tritonrl::teacher::operators {

// Spellings whose arguments decide which operator they are: max, min, to, arange, randint. `known` is false for all
// others.
struct Special {
  bool known = false;
  std::optional<Bound> bound;
};
Special bind_special(std::string_view path, const Given& given, const Facts& facts);

// What a bound call means beyond its spelling: the type of .float(), soft targets of cross_entropy, pairs. `op` becomes
// null where the arguments ask for something that the table does not describe.
void refine(Bound& bound, std::string_view path);

}  // namespace tritonrl::teacher::operators
