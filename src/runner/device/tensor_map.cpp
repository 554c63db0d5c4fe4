#include "runner/device/tensor_map.h"

#include <array>

#include "runner/device/driver.h"
#include "runner/process/stop.h"

namespace tritonrl::runner {
namespace {

constexpr std::size_t kMostDimensions = program::kMostDescriptorDimensions;

// The driver counts some types in another order than the hardware.
CUtensorMapDataType data_type(int of_hardware) {
  switch (of_hardware) {
    case 8:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ;
    case 9:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case 10:
      return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    default:
      return static_cast<CUtensorMapDataType>(of_hardware);
  }
}

// Up to driver 13.1 a map of a small tensor has a flag that its hardware does not want, which CUTLASS and Triton clear.
void mend_small_map(CUtensorMap& map, std::uint64_t last_byte) {
  constexpr int kLastDriver = 13010;
  constexpr std::uint64_t kSmall = 128 * 1024, kFlag = std::uint64_t{1} << 21;
  int version = 0;
  check(driver().cuDriverGetVersion_(&version), "cuDriverGetVersion");
  if (version <= kLastDriver && last_byte + 1 < kSmall) map.opaque[1] &= ~kFlag;
}

}  // namespace

CUtensorMap tensor_map_of(const machine::DescriptorArgument& descriptor, const program::DescriptorLayout& layout) {
  const std::size_t rank = layout.block.size();
  if (rank == 0 || rank > kMostDimensions || descriptor.shape.size() != rank || descriptor.strides.size() != rank) {
    throw Stop{RunOutcome::Kind::kNotExecutable, "a tensor descriptor of another rank than the kernel's"};
  }
  if (descriptor.strides.back() != 1) {
    throw Stop{RunOutcome::Kind::kNotExecutable, "a tensor descriptor whose last dimension is not contiguous"};
  }
  // the driver counts dimensions from the innermost, whose stride is one element and not told
  std::array<cuuint64_t, kMostDimensions> sizes{}, strides{};
  std::array<cuuint32_t, kMostDimensions> box{}, steps{};
  std::uint64_t last_byte = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t from = rank - 1 - i;
    sizes[i] = static_cast<cuuint64_t>(descriptor.shape[from]);
    if (i == 0 && layout.fp4_padded) sizes[i] *= 2;
    box[i] = static_cast<cuuint32_t>(layout.block[from]);
    steps[i] = 1;
    const std::uint64_t apart = static_cast<std::uint64_t>(layout.element_bytes) *
                                (i == 0 ? 1 : static_cast<std::uint64_t>(descriptor.strides[from]));
    if (i > 0) strides[i - 1] = apart;
    last_byte += (sizes[i] - 1) * apart;
  }
  const CUtensorMapDataType type =
      descriptor.rounds_to_tf32 ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 : data_type(layout.element_type);
  const CUtensorMapFloatOOBfill outside =
      descriptor.nan_outside ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  CUtensorMap out{};
  check(driver().cuTensorMapEncodeTiled_(
            &out, type, static_cast<cuuint32_t>(rank), reinterpret_cast<void*>(descriptor.base), sizes.data(),
            strides.data(), box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
            static_cast<CUtensorMapSwizzle>(layout.swizzle), CU_TENSOR_MAP_L2_PROMOTION_L2_128B, outside),
        "tensor descriptor");
  mend_small_map(out, last_byte);
  return out;
}

}  // namespace tritonrl::runner
