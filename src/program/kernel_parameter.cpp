#include "program/kernel_parameter.h"

#include <algorithm>

#include "base/fields.h"

namespace tritonrl::program {

std::span<const char* const> enum_names(KernelParameter::Part) {
  static constexpr const char* kNames[] = {"value", "descriptor", "base", "shape", "stride", "padding", "rounding"};
  return kNames;
}

void KernelParameter::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, argument);
  field("path", path, base::kWhereSet);
  field("part", part);
  field("dimension", dimension, base::kWhereSet);
  field("type", type);
}

void DescriptorLayout::fields(base::FieldVisitor& field) {
  constexpr double kMostSwizzle = 15, kMostBytes = 16, kMostType = 63;
  constexpr int kMostBlock = 256;  // of the hardware
  field("swizzle", swizzle, {.least = 0, .most = kMostSwizzle});
  field("elem_size", element_bytes, {.least = 1, .most = kMostBytes});
  field("elem_type", element_type, {.least = 0, .most = kMostType});
  field("block_size", block);
  field("fp4_padded", fp4_padded);
  if (field.writes()) return;
  const auto fits = [](int size) { return size >= 1 && size <= kMostBlock; };
  if (block.empty() || block.size() > kMostDescriptorDimensions || !std::all_of(block.begin(), block.end(), fits)) {
    throw base::FieldError("block_size", "is no block of a descriptor");
  }
}

}  // namespace tritonrl::program
