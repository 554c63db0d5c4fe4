#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "program/kernel_parameter.h"
#include "program/program.h"

namespace tritonrl::python {

// The type of a launch argument: Triton's text, or a tuple of types.
struct ArgumentType {
  bool tuple = false;
  std::string text;                 // !tuple: "*fp32", "constexpr", "tensordesc<fp32[32, 64]>"
  std::vector<ArgumentType> items;  // tuple

  bool constant() const { return !tuple && text == "constexpr"; }
  // Dimensions of a host-made descriptor; 0 for everything else.
  int descriptor_dimensions() const;
  std::string descriptor_element() const;  // "fp32"; of a descriptor alone
};

// "(i32,*fp32)" and the like, as the recorder writes them.
base::Result<ArgumentType> read_argument_type(std::string_view text);

// How a compiler takes descriptors apart.
struct DescriptorForm {
  bool whole = true;      // sm_90 and later: one parameter, then shape and strides
  bool rounding = false;  // taken apart by Triton 3.7 and later: kRounding behind kPadding
};

// In the order of the compiled function's parameters; constants have none.
base::Result<std::vector<program::KernelParameter>> parameters_of(const program::LaunchVariant& variant,
                                                                  const DescriptorForm& form);

// What the compiling process needs to know of the arguments: names, types, alignment, and the values of constants
// alone.
base::Result<base::Json> arguments_json(const program::LaunchVariant& variant);

}  // namespace tritonrl::python
