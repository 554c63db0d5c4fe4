#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tritonrl::teacher {

// A loss that is drawn (lines `drawn` of program/operators/): its function, its module, what it is given.
struct Loss {
  enum class Inputs : std::uint8_t {
    kSame,
    kProbabilities,
    kClasses,
    kLogClasses,
    kDistributions,
    kSigns,
    kRankings,
    kPairs,
    kTriple,
    kBinary,
    kVariances,
    kCounts
  };
  std::string_view name, module, arguments;
  Inputs inputs = Inputs::kSame;
  int weight = 0;
};

// In the table's order.
std::span<const Loss> drawn_losses();

}  // namespace tritonrl::teacher
