#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::optimize {

// One dimension of an input: a size, or a range of sizes of which every one is meant.
struct Extent {
  std::int64_t low = 0, high = 0;
  std::string name;  // of the range: extents of one name are the same size. Unnamed ones are called "1..64"

  bool is_range() const { return low != high; }
};

// The sizes that ranges have at the moment, by name.
using Sizes = std::map<std::string, std::int64_t>;

// One input of forward, as a user writes it:
//   f32[8,1024]           a tensor of values in [0, 1); f16, bf16, f32, f64
//   i64[8,16]<1000        whole numbers from 0 to 999; u8, i8, i16, i32, i64; without "<" the bound follows from the
//                         other inputs (a dimension of classes, else 10)
//   bool[8,16]            a mask of drawn truths
//   f32[1..64,1024]       every batch from 1 to 64; f32[B=1..64,1024] gives the range a name that other inputs may use
//   3  0.5  True  None    a number or word of Python; =EXPR any expression: "=torch.eye(4)"
struct InputSpec {
  std::string type;  // "f32"; empty: `expression`
  std::vector<Extent> extents;
  std::optional<std::int64_t> below;  // of whole numbers
  std::string expression;             // Python
};

// All inputs of a module, in order. UserError names the text, what is wrong with it and how it is written.
std::vector<InputSpec> parse_inputs(std::span<const std::string> texts);

struct Range {
  std::string name;
  std::int64_t low = 0, high = 0;
  bool operator==(const Range&) const = default;
};

// The ranges of all inputs, each once, in the order of the inputs.
std::vector<Range> ranges_of(std::span<const InputSpec> inputs);

// get_inputs() that gives them at these sizes, as Python in its normal form.
std::string inputs_text(std::span<const InputSpec> inputs, const Sizes& sizes);

// If all floating inputs have one 16-bit type: its name as the judge's --precision has it; else empty. Such inputs are
// written as float32 ones, which the judge casts together with the parameters.
std::string common_precision(std::span<const InputSpec> inputs);

}  // namespace tritonrl::optimize
