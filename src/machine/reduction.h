#pragma once

#include <cstdint>
#include <vector>

#include "machine/code.h"

namespace tritonrl::machine {

// tt.reduce, tt.scan and tt.map_elementwise: a region of scalar operations applied to many lanes at once. Operands are
// seen as [outer, size, inner] with the axis in the middle. Reductions combine halves, so that every step of the region
// works on as many lanes as possible.
struct Reduction : Detail {
  enum class Kind : std::uint8_t { kReduce, kScan, kMap };
  struct Operand {
    std::int32_t from = 0, to = 0;
    std::int32_t work = 0;                       // a copy with the axis outermost
    std::int32_t left = 0, right = 0, made = 0;  // the region's arguments and what it returns
    std::int32_t bytes = 0;                      // of an element
  };
  Kind kind = Kind::kReduce;
  bool reverse = false;
  std::int64_t outer = 1, size = 1, inner = 1;
  std::vector<Operand> operands;
  std::size_t region = 0;        // index into Code::regions
  bool straight = true;          // no control flow inside: all lanes at once
  Elementwise single = nullptr;  // the region is just this operation on its two arguments
  double single_work = 0;
  Work single_kind = Work::kNone;
};

const Step* run_reduction(Worker& worker, const Step& step);

}  // namespace tritonrl::machine
