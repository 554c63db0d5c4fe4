#include "runner/process/torch_types.h"

#include <stdexcept>

namespace tritonrl::runner {

at::ScalarType scalar_type(program::DType dtype) {
  using program::DType;
  switch (dtype) {
    case DType::kFloat64:
      return at::kDouble;
    case DType::kFloat32:
      return at::kFloat;
    case DType::kFloat16:
      return at::kHalf;
    case DType::kBFloat16:
      return at::kBFloat16;
    case DType::kFloat8E4M3Fn:
      return at::kFloat8_e4m3fn;
    case DType::kFloat8E5M2:
      return at::kFloat8_e5m2;
    case DType::kFloat8E4M3FnUz:
      return at::kFloat8_e4m3fnuz;
    case DType::kFloat8E5M2FnUz:
      return at::kFloat8_e5m2fnuz;
    case DType::kInt64:
      return at::kLong;
    case DType::kInt32:
      return at::kInt;
    case DType::kInt16:
      return at::kShort;
    case DType::kInt8:
      return at::kChar;
    case DType::kUInt64:
      return at::kUInt64;
    case DType::kUInt32:
      return at::kUInt32;
    case DType::kUInt16:
      return at::kUInt16;
    case DType::kUInt8:
      return at::kByte;
    case DType::kBool:
      return at::kBool;
    case DType::kComplex64:
      return at::kComplexFloat;
    case DType::kComplex128:
      return at::kComplexDouble;
  }
  throw std::logic_error("a dtype without a torch type");
}

at::MemoryFormat memory_format(const std::string& name) {
  if (name == "channels_last") return at::MemoryFormat::ChannelsLast;
  if (name == "channels_last_3d") return at::MemoryFormat::ChannelsLast3d;
  return name == "preserve_format" ? at::MemoryFormat::Preserve : at::MemoryFormat::Contiguous;
}

}  // namespace tritonrl::runner
