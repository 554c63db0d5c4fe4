#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runner/run_outcome.h"

namespace tritonrl::judge {

// Benchmarks draw tame inputs: numbers of one size, alike in every row. These variations reach the regimes that tame
// ones hide (saturation, overflow, rows of other sizes), one a call of forward:
//   wide: around zero, up to tens and up to a hundred thousand; heavy tails, and one entry of thousandths
//   uneven: single large needles at secret places; rows that are constant or zero; long runs of other sizes and signs
bool is_regime(std::string_view variation);

// How far a call goes into its regime: what the reference does not stand is tried tamer, one step after the other,
// until the task's own inputs are left.
struct Manner {
  enum class Values : std::uint8_t {
    kRegime,
    kRange,  // within their own range, and often near its ends: what is a probability stays one
    kPlain,  // as they are; masks and whole numbers change alone
    kOwn,    // all as it is
  };
  Values values = Values::kRegime;
  int level = 0;          // each smaller than the one before
  bool own_sign = false;  // not around zero: logarithms and roots end there
  bool careful = false;   // masks open alone
};
// From the boldest on; the last is kOwn.
std::vector<Manner> manners_of(std::string_view variation, int call);

// The tensor in the regime of that call. What carries structure keeps it: zeros stay zeros, integers, sorted and
// symmetric inputs and those of a few elements stay as they are. Masks and constants are drawn anew in one call of
// `uneven`, masks that are added (zeros, and numbers that leave nothing) in two: who does not read them shows.
std::string in_regime(const runner::TensorData& data, std::string_view variation, int call, const Manner& manner,
                      std::uint64_t seed);

// A mask or a label: few distinct values that mean something.
bool is_selector(const runner::TensorData& data);
// The mean of what is neither zero nor infinite.
double centre_of(const runner::TensorData& data);

}  // namespace tritonrl::judge
