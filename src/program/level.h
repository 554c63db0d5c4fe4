#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "program/operator_table.h"
#include "program/program.h"

namespace tritonrl::program {

struct OperatorCount {
  std::string op;  // "aten::mm"
  OperatorKind kind = OperatorKind::kPointwise;
  int calls = 0;
  bool heavy = false;  // is_heavy(kind)
  bool operator==(const OperatorCount&) const = default;
};

// The computing operators of a forward pass (is_compute) with their calls, in order of first appearance.
std::vector<OperatorCount> operators_of(const Program& program, std::size_t forward = 0);

// How much there is to write, by the calls of a forward pass; the levels of KernelBench:
//   1  one operator, or what torch splits into a few light calls: a loss, a norm, an activation; a separable
//      convolution, which is two convolutions and nothing else
//   2  a short fusion: up to two heavy calls and twelve in all, or several light operators one after another
//   3  an architecture: three or more heavy calls, or two among three norms, pools and their like; a recurrent layer, a
//      transformer block, or a long list of calls
// Bookkeeping on tensors of at most 16 elements (where there are larger ones) does not count, nor does a triangular
// mask beside a heavy call.
struct LevelEstimate {
  int level = 1;
  std::vector<std::string> why;  // for people: what was counted, and the rule that decided
};
LevelEstimate level_of(const Program& program, std::size_t forward = 0);

// What the levels are told from, for operators that come from elsewhere than a program.
struct LevelCounts {
  int calls = 0;  // that compute
  int heavy = 0;  // of them heavy; what holds several counts as many
  int convolutions = 0;
  int structured = 0;  // with a structure of their own, so that two of them are a fusion: a norm, a softmax, a pool
  int masks = 0;       // triangular masks
  std::vector<std::string> heavy_names, light_names;  // each once, in order of first appearance

  // `heavy_weight`: how many heavy calls it is worth; 0 for a light one.
  void add(std::string_view name, OperatorKind kind, int heavy_weight, int times = 1);
};
LevelEstimate level_of(const LevelCounts& counts);

}  // namespace tritonrl::program
