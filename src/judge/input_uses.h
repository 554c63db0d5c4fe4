#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace tritonrl::judge {

// How a reference uses one of its inputs, read off its recorded program: which other values it may have follows from
// that.
struct InputUse {
  bool indexes = false;         // it chooses places itself
  std::int64_t bound = 0;       // of those: every value is less; 0: not known
  bool leads_to_index = false;  // what is computed from it chooses places
  bool adds_up = false;         // what comes to equal places is put together: repeats are allowed
  bool overwrites = false;      // what comes to equal places: nobody says which stays
  bool compared = false;        // with numbers: a length, a label, a number of a segment
  bool asked = false;           // its values are asked for: sizes and control flow follow from them
  bool structured = false;      // offsets, boundaries, or something we do not know

  // Each value counts for itself, and places do not depend on it.
  bool counts() const { return !indexes && !asked && !structured; }
};

// By input of the program's first forward.
std::vector<InputUse> uses_of(const program::Program& program);

}  // namespace tritonrl::judge
