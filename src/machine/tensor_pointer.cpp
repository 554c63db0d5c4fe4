#include "machine/tensor_pointer.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "machine/access.h"
#include "machine/atomics.h"
#include "machine/steps.h"
#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

struct PointerStep : Detail {
  std::vector<std::int32_t> operands;
  std::vector<bool> wide;  // of each operand: 64 bits
  std::vector<std::int64_t> block;
  std::vector<bool> checked;  // by dimension: lanes outside the tensor are off
  Scalar element = Scalar::kNone;
  bool nan_padding = false;
  AtomicKind reduce = AtomicKind::kAdd;
  int rank() const { return static_cast<int>(block.size()); }
};

std::int64_t integer(const Worker& worker, const PointerStep& detail, std::size_t operand) {
  const std::int32_t at = detail.operands[operand];
  return detail.wide[operand] ? *worker.at<std::int64_t>(at) : *worker.at<std::int32_t>(at);
}

const Step* run_make(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  TensorPointer pointer;
  pointer.base = *worker.at<std::uint64_t>(detail.operands[0]);
  const auto rank = static_cast<std::size_t>(detail.rank());
  const bool with_offsets = detail.operands.size() > 2 * rank + 1;
  for (std::size_t d = 0; d < rank; ++d) {
    pointer.shape[d] = integer(worker, detail, 1 + d);
    pointer.strides[d] = integer(worker, detail, 1 + rank + d);
    if (with_offsets) pointer.offsets[d] = integer(worker, detail, 1 + 2 * rank + d);
  }
  if (!with_offsets) {
    const std::int64_t bytes = size_of(detail.element);
    if (pointer.base % 16 != 0) {
      return worker.fault(step, Finding::Kind::kMisaligned,
                          "a tensor descriptor needs an address that is a multiple of 16");
    }
    for (std::size_t d = 0; d + 1 < rank; ++d) {
      if (pointer.strides[d] * bytes % 16 == 0) continue;
      return worker.fault(step, Finding::Kind::kMisaligned,
                          "a tensor descriptor needs strides of a multiple of 16 bytes; dimension " +
                              std::to_string(d) + " has " + std::to_string(pointer.strides[d] * bytes));
    }
  }
  pointer.nan_outside = detail.nan_padding;
  *worker.at<TensorPointer>(step.out[0]) = pointer;
  return &step + 1;
}

const Step* run_advance(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  TensorPointer pointer = *worker.at<TensorPointer>(detail.operands[0]);
  for (std::size_t d = 0; d < static_cast<std::size_t>(detail.rank()); ++d) {
    pointer.offsets[d] += integer(worker, detail, 1 + d);
  }
  *worker.at<TensorPointer>(step.out[0]) = pointer;
  return &step + 1;
}

// Addresses of the block at `offsets`, into the worker's scratch.
Access block_access(Worker& worker, const PointerStep& detail, const TensorPointer& pointer,
                    const std::int64_t* offsets) {
  std::int64_t count = 1;
  for (const std::int64_t size : detail.block) count *= size;
  worker.addresses.resize(static_cast<std::size_t>(count));
  worker.mask.assign(static_cast<std::size_t>(count), 1);
  bool masked = false;
  const std::int64_t bytes = size_of(detail.element);
  std::vector<std::int64_t> index(detail.block.size(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    std::uint64_t address = pointer.base;
    bool on = true;
    for (std::size_t d = 0; d < detail.block.size(); ++d) {
      const std::int64_t at = offsets[d] + index[d];
      on = on && (!detail.checked[d] || (at >= 0 && at < pointer.shape[d]));
      address += static_cast<std::uint64_t>(at) * static_cast<std::uint64_t>(pointer.strides[d] * bytes);
    }
    worker.addresses[i] = address;
    worker.mask[i] = on ? 1 : 0;
    masked = masked || !on;
    for (std::size_t d = detail.block.size(); d-- > 0;) {
      if (++index[d] < detail.block[d]) break;
      index[d] = 0;
    }
  }
  return {worker.addresses.data(), masked ? worker.mask.data() : nullptr, count, bytes, detail.block};
}

// What lanes outside the tensor read, where that is not zero.
std::vector<std::byte> nan_padding(const PointerStep& detail, std::int64_t count) {
  if (!is_float(detail.element)) return {};
  const auto bytes = static_cast<std::size_t>(size_of(detail.element));
  std::vector<std::byte> padding(static_cast<std::size_t>(count) * bytes, std::byte{0xff});
  for (std::size_t i = bytes - 1; i < padding.size(); i += bytes) padding[i] = std::byte{0x7f};
  return padding;
}

bool load_padded(Worker& worker, const Step& step, const Access& access, bool with_nan) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  const std::vector<std::byte> padding = with_nan ? nan_padding(detail, access.count) : std::vector<std::byte>();
  return load(worker, step, access, padding.empty() ? nullptr : padding.data(), worker.at<std::byte>(step.out[0]));
}

const Step* run_block_load(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  const TensorPointer pointer = *worker.at<TensorPointer>(detail.operands[0]);
  const Access access = block_access(worker, detail, pointer, pointer.offsets);
  return load_padded(worker, step, access, detail.nan_padding) ? &step + 1 : nullptr;
}

const Step* run_block_store(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  const TensorPointer pointer = *worker.at<TensorPointer>(detail.operands[0]);
  const Access access = block_access(worker, detail, pointer, pointer.offsets);
  return store(worker, step, access, worker.at<std::byte>(detail.operands[1])) ? &step + 1 : nullptr;
}

Access descriptor_access(Worker& worker, const PointerStep& detail) {
  const TensorPointer pointer = *worker.at<TensorPointer>(detail.operands[0]);
  std::int64_t offsets[kMaxPointerRank] = {};
  for (std::size_t d = 0; d < static_cast<std::size_t>(detail.rank()); ++d) offsets[d] = integer(worker, detail, 1 + d);
  return block_access(worker, detail, pointer, offsets);
}

// To the nearest, ties to even, as Triton computes it where the hardware has no descriptors.
void round_to_tf32(std::uint32_t* floats, std::int64_t count) {
  constexpr std::uint32_t kExponent = 0x7f80'0000, kDropped = 0x1fff;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = floats[i];
    if ((bits & kExponent) != kExponent) floats[i] = (bits + kDropped / 2 + (bits >> 13 & 1)) & ~kDropped;
  }
}

const Step* load_by_descriptor(Worker& worker, const Step& step, const Access& access) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  const auto& descriptor = *worker.at<TensorPointer>(detail.operands[0]);
  const bool nan_outside = descriptor.nan_outside;
  const bool rounds = descriptor.rounds_to_tf32 && detail.element == Scalar::kF32;
  if (!load_padded(worker, step, access, nan_outside)) return nullptr;
  if (rounds) round_to_tf32(worker.at<std::uint32_t>(step.out[0]), access.count);
  return &step + 1;
}

const Step* run_descriptor_load(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  return load_by_descriptor(worker, step, descriptor_access(worker, detail));
}

const Step* run_descriptor_store(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  return store(worker, step, descriptor_access(worker, detail), worker.at<std::byte>(detail.operands.back()))
             ? &step + 1
             : nullptr;
}

const Step* run_descriptor_reduce(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  const Access access = descriptor_access(worker, detail);
  return update(worker, step, access, detail.element, detail.reduce, worker.at<std::byte>(detail.operands.back()),
                nullptr)
             ? &step + 1
             : nullptr;
}

// Rows of a two-dimensional tensor: one row index a lane, all from the same column on.
Access gather_access(Worker& worker, const PointerStep& detail, std::int64_t rows, std::int64_t columns) {
  const TensorPointer pointer = *worker.at<TensorPointer>(detail.operands[0]);
  const std::int64_t column = integer(worker, detail, 2);
  const std::int64_t bytes = size_of(detail.element);
  worker.addresses.clear();
  worker.mask.clear();
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int32_t at = detail.operands[1];
    const std::int64_t row = detail.wide[1] ? worker.at<std::int64_t>(at)[r] : worker.at<std::int32_t>(at)[r];
    for (std::int64_t c = column; c < column + columns; ++c) {
      worker.mask.push_back(row >= 0 && row < pointer.shape[0] && c >= 0 && c < pointer.shape[1] ? 1 : 0);
      worker.addresses.push_back(
          pointer.base + static_cast<std::uint64_t>((row * pointer.strides[0] + c * pointer.strides[1]) * bytes));
    }
  }
  return {worker.addresses.data(), worker.mask.data(), rows * columns, bytes, detail.block};
}

const Step* run_descriptor_gather(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  return load_by_descriptor(worker, step, gather_access(worker, detail, detail.block[0], detail.block[1]));
}

const Step* run_scatter(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const PointerStep&>(*step.detail);
  const Access access = gather_access(worker, detail, detail.block[0], detail.block[1]);
  return store(worker, step, access, worker.at<std::byte>(detail.operands[3])) ? &step + 1 : nullptr;
}

PointerStep& make_detail(const StepContext& context, const Type& pointer) {
  auto& detail = context.make<PointerStep>();
  detail.operands.assign(context.operands.begin(), context.operands.end());
  for (std::size_t i = 0; i < context.op.operands.size(); ++i) {
    const Scalar scalar = context.operand(i).scalar;
    detail.wide.push_back(scalar == Scalar::kI64 || scalar == Scalar::kIndex);
  }
  detail.block = pointer.shape;
  detail.element = pointer.element;
  detail.checked.assign(detail.block.size(), true);
  return detail;
}

}  // namespace

bool make_tensor_pointer(const StepContext& context, Step& step) {
  const std::string_view name = context.op.name;
  const bool makes = name == "tt.make_tensor_ptr" || name == "tt.make_tensor_descriptor";
  const bool block_load = name == "tt.load" || name == "tt.store";
  if (!makes && !block_load && name != "tt.advance" && !name.starts_with("tt.descriptor_")) return false;
  const Type& pointer = makes ? context.result() : context.operand(0);
  if (pointer.kind != Type::Kind::kBlockPointer && pointer.kind != Type::Kind::kDescriptor) return false;
  if (pointer.shape.size() > kMaxPointerRank || size_of(pointer.element) == 0) return false;
  PointerStep& detail = make_detail(context, pointer);
  step.detail = &detail;
  step.count = pointer.count();
  if (makes) {
    detail.nan_padding = context.op.integer("padding", 1) == 2;
    step.run = run_make;
  } else if (name == "tt.advance") {
    step.run = run_advance;
  } else if (block_load) {
    const Attribute* attribute = context.op.attribute("boundaryCheck");
    const auto* dims = attribute != nullptr ? std::get_if<std::vector<std::int64_t>>(attribute) : nullptr;
    detail.checked.assign(detail.block.size(), false);
    for (const std::int64_t d : dims != nullptr ? *dims : std::vector<std::int64_t>{}) {
      if (d >= 0 && static_cast<std::size_t>(d) < detail.block.size())
        detail.checked[static_cast<std::size_t>(d)] = true;
    }
    detail.nan_padding = context.op.integer("padding", 1) == 2;
    step.run = name == "tt.load" ? run_block_load : run_block_store;
  } else if (name == "tt.descriptor_load") {
    step.run = run_descriptor_load;
  } else if (name == "tt.descriptor_store") {
    step.run = run_descriptor_store;
  } else if (name == "tt.descriptor_reduce") {
    const std::optional<AtomicKind> kind = descriptor_reduction(context.op.string("kind"), detail.element);
    if (!kind) return false;
    detail.reduce = *kind;
    step.run = run_descriptor_reduce;
  } else if (name == "tt.descriptor_gather") {
    detail.block = context.result().shape;
    step.run = run_descriptor_gather;
    return detail.block.size() == 2;
  } else if (name == "tt.descriptor_scatter") {
    detail.block = context.operand(3).shape;
    step.run = run_scatter;
    return detail.block.size() == 2;
  } else {
    return false;
  }
  return true;
}

}  // namespace tritonrl::machine
