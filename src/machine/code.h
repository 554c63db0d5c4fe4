#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "machine/arithmetic/elementwise.h"
#include "machine/ir/ir.h"

namespace tritonrl::machine {

// A kernel lowered to a list of steps on one frame of memory: SSA values have fixed places, control flow is jumps,
// calls are inlined. lower.h makes it, worker.h runs it.

struct Step;
struct Worker;
using StepFunction = const Step* (*)(Worker&, const Step&);  // returns the step to run next, null at the end

// Which of the worker's sums an executed step adds to.
enum class Work : std::uint8_t { kNone, kInteger, kFloat, kDouble, kSpecial };
constexpr int kWorkKinds = 5;

// What a step needs beyond its operands; owned by Code.
struct Detail {
  virtual ~Detail() = default;
};

struct Step {
  StepFunction run = nullptr;
  Elementwise function = nullptr;
  std::int64_t count = 0;  // elements; -1: as many as the worker's lanes (inside the region of a reduction)
  std::int32_t in[4] = {0, 0, 0, 0};
  std::int32_t out[2] = {0, 0};
  std::int32_t target = 0;  // index of a step to jump to
  std::int32_t location = -1;
  std::int32_t again = 0;  // of what sends a loop round again: the marks of its second and, behind it, third round
  std::int32_t form = 0;   // of a product: in what it is computed (SourcePosition::form)
  std::int32_t mark = 0;   // which of the worker's marks it sets (coverage.h); 0: one that nobody reads
  const Operation* op = nullptr;  // for messages
  const Detail* detail = nullptr;
  double work = 0;  // operations, of a kind that is not kNone; per lane where count is -1
  Work kind = Work::kNone;
  Scalar scalar = Scalar::kNone;  // of the result
  bool barrier = false;           // lane_order.h: it brings the program's lanes together
};

// Parallel assignment of values (loop-carried variables, block arguments, results).
struct Moves : Detail {
  struct Move {
    std::int32_t from = 0, to = 0, bytes = 0;
  };
  std::vector<Move> moves;
  std::int32_t staging = -1;  // used if a source is overwritten by another move
};

struct Code {
  std::vector<Step> prologue;  // values that are the same for all programs
  std::vector<Step> body;
  std::vector<Step> regions;  // bodies of reductions and scans; each ends with a step that returns null
  std::vector<std::unique_ptr<Detail>> details;
  std::vector<std::int32_t> parameters;  // frame offsets
  std::vector<Type> parameter_types;
  std::int64_t frame_bytes = 0;
  std::int64_t smallest_access = 8;  // bytes of the narrowest element that is loaded or stored
};

}  // namespace tritonrl::machine
