#include "weights/dtype.h"

#include <array>
#include <utility>

#include "base/check.h"

namespace tritonrl::weights {
namespace {

struct Named {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};

constexpr std::array<Named, 10> kTypes = {{{Dtype::kF64, "F64", 8},
                                           {Dtype::kF32, "F32", 4},
                                           {Dtype::kF16, "F16", 2},
                                           {Dtype::kBf16, "BF16", 2},
                                           {Dtype::kI64, "I64", 8},
                                           {Dtype::kI32, "I32", 4},
                                           {Dtype::kI16, "I16", 2},
                                           {Dtype::kI8, "I8", 1},
                                           {Dtype::kU8, "U8", 1},
                                           {Dtype::kBool, "BOOL", 1}}};

const Named& entry_of(Dtype dtype) {
  for (const Named& type : kTypes) {
    if (type.dtype == dtype) return type;
  }
  base::check_failed("known dtype", __FILE__, __LINE__, "a dtype without a name");
}

}  // namespace

std::size_t size_of(Dtype dtype) {
  return entry_of(dtype).size;
}

std::string_view safetensors_name(Dtype dtype) {
  return entry_of(dtype).name;
}

std::optional<Dtype> from_safetensors_name(std::string_view name) {
  for (const Named& type : kTypes) {
    if (type.name == name) return type.dtype;
  }
  return std::nullopt;
}

}  // namespace tritonrl::weights
