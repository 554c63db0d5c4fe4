#include "program/kernel_parameter.h"

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

}  // namespace tritonrl::program
