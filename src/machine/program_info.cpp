#include <algorithm>
#include <cstring>
#include <string>

#include "machine/numbers/float_formats.h"
#include "machine/steps.h"
#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

struct Axis : Detail {
  std::size_t axis = 0;
};

const Step* run_program_id(Worker& worker, const Step& step) {
  *worker.at<std::int32_t>(step.out[0]) =
      static_cast<std::int32_t>(worker.program[static_cast<const Axis&>(*step.detail).axis]);
  return &step + 1;
}

const Step* run_num_programs(Worker& worker, const Step& step) {
  *worker.at<std::int32_t>(step.out[0]) =
      static_cast<std::int32_t>(worker.grid[static_cast<const Axis&>(*step.detail).axis]);
  return &step + 1;
}

const Step* run_assert(Worker& worker, const Step& step) {
  const auto* held = worker.at<std::uint8_t>(step.in[0]);
  const std::int64_t count = worker.count(step);
  const auto* failed = std::find(held, held + count, std::uint8_t{0});
  if (failed == held + count) return &step + 1;
  std::string message = "the assertion \"" + std::string(step.op->string("message")) + "\" does not hold";
  if (count > 1) message += " for element " + std::to_string(failed - held);
  return worker.fault(step, Finding::Kind::kAssert, message);
}

const Step* run_assume(Worker& worker, const Step& step) {
  if (worker.options->check_hints && *worker.at<std::uint8_t>(step.in[0]) == 0)
    worker.find(step, Finding::Kind::kFalseHint, "what the kernel assumes does not hold; the compiler relies on it");
  return &step + 1;
}

const Step* run_barrier(Worker&, const Step& step) {
  return &step + 1;  // Step::barrier tells
}

struct Printed : Detail {
  struct Item {
    std::int32_t offset = 0;
    std::int64_t count = 0;
    Scalar scalar = Scalar::kNone;
    bool is_signed = true;
  };
  std::vector<Item> items;
};

std::string text_of(const Worker& worker, const Printed::Item& item, std::int64_t i) {
  std::uint64_t bits = 0;
  const int size = size_of(item.scalar);
  std::memcpy(&bits, worker.frame + item.offset + i * size, static_cast<std::size_t>(size));
  if (is_float(item.scalar)) return std::to_string(to_double(item.scalar, bits));
  if (!item.is_signed || item.scalar == Scalar::kPointer || item.scalar == Scalar::kI1) return std::to_string(bits);
  const int unused = 64 - 8 * size;
  return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

const Step* run_print(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const Printed&>(*step.detail);
  const std::string head = "pid (" + std::to_string(worker.program[0]) + ", " + std::to_string(worker.program[1]) +
                           ", " + std::to_string(worker.program[2]) + ")";
  const std::string prefix(step.op->string("prefix"));
  if (detail.items.empty()) worker.printed += head + prefix + "\n";
  for (const Printed::Item& item : detail.items) {
    for (std::int64_t i = 0; i < item.count; ++i) {
      if (worker.printed.size() >= worker.options->max_printed_bytes) return &step + 1;
      worker.printed +=
          head + (item.count > 1 ? " idx (" + std::to_string(i) + ")" : "") + prefix + text_of(worker, item, i) + "\n";
    }
  }
  return &step + 1;
}

bool make_print(const StepContext& context, Step& step) {
  auto& detail = context.make<Printed>();
  const Attribute* attribute = context.op.attribute("isSigned");
  const auto* is_signed = attribute != nullptr ? std::get_if<std::vector<std::int64_t>>(attribute) : nullptr;
  for (std::size_t i = 0; i < context.op.operands.size(); ++i) {
    const Type& type = context.operand(i);
    if (type.kind > Type::Kind::kTensor || size_of(type.scalar) == 0) return false;
    const bool negative = is_signed == nullptr || i >= is_signed->size() || (*is_signed)[i] != 0;
    detail.items.push_back({context.operands[i], type.count(), type.scalar, negative});
  }
  step.detail = &detail;
  step.run = run_print;
  return true;
}

}  // namespace

bool make_program_info(const StepContext& context, Step& step) {
  const std::string_view name = context.op.name;
  if (name == "tt.print") return make_print(context, step);
  if (name == "tt.assert" || name == "cf.assert") {
    step.run = run_assert;
    step.count = context.operand(0).count();
    return true;
  }
  if (name == "llvm.intr.assume") {
    step.run = run_assume;
    return context.operand(0).kind == Type::Kind::kScalar;
  }
  if (name == "gpu.barrier" || name == "ttg.barrier" || name == "ttg.local_barrier") {
    step.run = run_barrier;
    return true;
  }
  if (name != "tt.get_program_id" && name != "tt.get_num_programs") return false;
  const std::int64_t axis = context.op.integer("axis", 0);
  if (axis < 0 || axis > 2) return false;
  auto& detail = context.make<Axis>();
  detail.axis = static_cast<std::size_t>(axis);
  step.detail = &detail;
  step.run = name == "tt.get_program_id" ? run_program_id : run_num_programs;
  return true;
}

}  // namespace tritonrl::machine
