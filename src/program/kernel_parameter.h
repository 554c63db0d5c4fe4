#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::program {

// One parameter of a compiled kernel, and what of a launch's arguments it takes.
struct KernelParameter {
  enum class Part : std::uint8_t {
    kValue,       // the argument (or an item of a tuple) itself
    kDescriptor,  // a descriptor: as the hardware has it (sm_90 and later)
    kBase,        // a descriptor taken apart (before sm_90): its address,
    kShape,       // its size in `dimension`,
    kStride,      // its stride in `dimension`,
    kPadding,     // whether what lies outside is NaN,
    kRounding,    // whether fp32 is rounded to tf32
  };
  int argument = 0;       // index into LaunchVariant::arguments
  std::vector<int> path;  // into nested tuples; empty: the argument itself
  Part part = Part::kValue;
  int dimension = 0;
  std::string type;  // Triton's name: "*fp32", "i32"; of a whole descriptor "tensordesc<fp32[32, 64]>"
  void fields(base::FieldVisitor& field);
  bool operator==(const KernelParameter&) const = default;
};

std::span<const char* const> enum_names(KernelParameter::Part);

// How a compiled kernel wants a whole descriptor encoded: numbers of CUDA's driver, as Triton's compiler tells them.
// They come from an untrusted process; reading bounds them, and the driver refuses what does not go together.
struct DescriptorLayout {
  int swizzle = 0;
  int element_bytes = 0;
  int element_type = 0;    // as the hardware counts types, which the driver does not always
  std::vector<int> block;  // what one access moves: a part of the descriptor's block
  bool fp4_padded = false;
  void fields(base::FieldVisitor& field);
  bool operator==(const DescriptorLayout&) const = default;
};

inline constexpr int kMostDescriptorDimensions = 5;

}  // namespace tritonrl::program
