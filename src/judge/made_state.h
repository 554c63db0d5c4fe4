#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/program.h"

namespace tritonrl::judge {

// How a constructor comes by the contents of a tensor: what of it another seed would change.
enum class Origin : std::uint8_t {
  kConstant,  // ones, zeros, full: one number everywhere
  kLiteral,   // numbers of the source
  kComputed,  // all else that no draw is part of: eye, arange, a slice filled, ones times a half
  kRepeated,  // of draws that a tensor of the state before it holds too: a copy of a layer, the norm of a weight
  kDrawn,     // of a draw of its own
};

inline constexpr const char* kCopied = "a copy";

// Where the constructor has made a tensor: after that step the tensor holds its contents, before anything is packed or
// moved that was copied from it.
struct MadeTensor {
  int step = 0;  // index into Program::initialise
  program::TensorRef tensor;
  Origin origin = Origin::kDrawn;
  std::optional<double> constant;  // kConstant; kLiteral: the first of the numbers
  // The operator that made it and the numbers it was given; kCopied of what others of the state are copied from, too.
  std::string recipe;
};

// All that a constructor makes.
struct MadeState {
  std::vector<std::optional<MadeTensor>> state;  // as Program::state; none: it never gets contents, or not as a whole
  std::vector<MadeTensor> others;                // whole results of all steps that are no copies, in their order
};
MadeState made_state(const program::Program& program);

}  // namespace tritonrl::judge
