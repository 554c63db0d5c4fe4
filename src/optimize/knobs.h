#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tritonrl::optimize {

// A number of a kernel's launch that changes how fast it is and not what it computes.
struct Knob {
  std::string name;        // "BLOCK", "num_warps"; of one function among several: "fused2 BLOCK"
  std::int64_t value = 0;  // now
  struct Place {
    std::size_t begin = 0, end = 0;  // bytes of the text
    bool operator==(const Place&) const = default;
  };
  int functions = 1;          // that launch with it
  std::vector<Place> places;  // literals that are the same number; an empty place: where `, name=value` goes
};

// Those of a solution in Python's normal form; none where it does not parse. Block sizes are powers of two that a
// launch passes for its kernel's constants, or that have a name in capitals; a literal in the grid that is the same
// number changes with them. Warps and stages are those of launches; where a launch does not say, Triton's own choice is
// the value.
std::vector<Knob> find_knobs(const std::string& text);

// The numbers next to the knob's: half and double, within what makes sense.
std::vector<std::int64_t> neighbours(const Knob& knob);

std::string with_value(const std::string& text, const Knob& knob, std::int64_t value);

}  // namespace tritonrl::optimize
