#pragma once

#include <string>

#include "teacher/writer/kernel_lines.h"

namespace tritonrl::teacher {

// How a reduction is collected over blocks of a row: a vector `acc` of partial results, joined at the end.
// `value`: the element's name, `mask` where it counts; `acc`: the vector's name (argmax: and `<acc>_at` for places).
// `place`: the element's place in its row; `row`: what spreads a row's result over a tile: "[None, :]".
struct ReductionWords {
  std::string kind;  // "sum", "max", …
  std::string value, acc, mask = "m", place = "i", row = {};
};
// Before the loop; `shape`: "[BLOCK]".
void begin_reduction(const ReductionWords& words, const std::string& shape, Lines& lines);
// In the loop.
void add_to_reduction(const ReductionWords& words, Lines& lines);
// After it: `target` is the row's result. `axis`: of the vector.
void end_reduction(const ReductionWords& words, const std::string& target, const std::string& axis, Lines& lines);
// Without a loop: the result of one block.
void reduce_block(const ReductionWords& words, const std::string& target, const std::string& axis, Lines& lines);

// What elements that do not count are taken for: "0.0".
std::string neutral(const std::string& kind);
bool needs_multiply(const std::string& kind);  // the helper function `multiply`

}  // namespace tritonrl::teacher
