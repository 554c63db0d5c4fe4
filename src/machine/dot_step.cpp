#include "machine/arithmetic/dot.h"

#include "machine/steps.h"
#include "machine/worker.h"
#include "program/cost.h"

namespace tritonrl::machine {
namespace {

struct DotStep : Detail {
  Dot dot;
  std::int32_t scratch = -1;
  program::Precision precision = program::Precision::kFp32;
  double operations = 0;
};

bool dot_of(const Operation& op, const Type& a, const Type& b, const Type& c, Dot& dot) {
  const std::size_t rank = a.shape.size();
  if (op.operands.size() != 3 || (rank != 2 && rank != 3) || b.shape.size() != rank) return false;
  dot.batch = rank == 3 ? a.shape[0] : 1;
  dot.m = a.shape[rank - 2];
  dot.k = a.shape[rank - 1];
  dot.n = b.shape[rank - 1];
  dot.a = a.scalar;
  dot.b = b.scalar;
  dot.accumulator = c.scalar;
  dot.precision = dot_precision(op.string("inputPrecision", "ieee"));
  return supported(dot);
}

program::Precision unit_of(const Dot& dot) {
  switch (dot.a) {
    case Scalar::kF64:
      return program::Precision::kFp64;
    case Scalar::kF32:
      return dot.precision == DotPrecision::kIeee
                 ? program::Precision::kFp32
                 : (dot.precision == DotPrecision::kBf16x3 || dot.precision == DotPrecision::kBf16x6
                        ? program::Precision::kBf16
                        : program::Precision::kTf32);
    case Scalar::kF16:
      return program::Precision::kFp16;
    case Scalar::kBF16:
      return program::Precision::kBf16;
    case Scalar::kI8:
      return program::Precision::kInt8;
    default:
      return program::Precision::kFp8;
  }
}

double passes(DotPrecision precision) {
  if (precision == DotPrecision::kTf32x3 || precision == DotPrecision::kBf16x3) return 3;
  return precision == DotPrecision::kBf16x6 ? 6 : 1;
}

// Another number for each type of operands and each precision; 0 for float32 as it is.
std::int32_t form_of(const Dot& dot) {
  constexpr int kForms = 64;  // more than there are types
  if (dot.a == Scalar::kF32 && dot.precision == DotPrecision::kIeee) return 0;
  return kForms * (1 + static_cast<std::int32_t>(dot.precision)) + static_cast<std::int32_t>(dot.a);
}

const Step* run_dot_step(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const DotStep&>(*step.detail);
  run_dot(detail.dot, worker.at<std::byte>(step.in[0]), worker.at<std::byte>(step.in[1]),
          worker.at<std::byte>(step.in[2]), worker.at<std::byte>(step.out[0]), worker.at<std::byte>(detail.scratch));
  worker.dots += 1;
  worker.dot_ops[static_cast<std::size_t>(detail.precision)] += detail.operations;
  return &step + 1;
}

}  // namespace

bool make_dot(const StepContext& context, Step& step) {
  if (context.op.name != "tt.dot") return false;
  auto& detail = context.make<DotStep>();
  if (!dot_of(context.op, context.operand(0), context.operand(1), context.operand(2), detail.dot)) return false;
  detail.scratch = context.scratch < 0 ? 0 : context.scratch;
  detail.precision = unit_of(detail.dot);
  const Dot& dot = detail.dot;
  detail.operations = 2.0 * static_cast<double>(dot.batch * dot.m * dot.n) * static_cast<double>(dot.k) *
                      (dot.a == Scalar::kF32 ? passes(dot.precision) : 1);
  step.detail = &detail;
  step.run = run_dot_step;
  step.form = form_of(dot);
  return true;
}

std::int64_t scratch_bytes_for(const Operation& op, const Function& function) {
  Dot dot;
  if (op.name != "tt.dot" || op.operands.size() != 3) return 0;
  const auto type = [&](std::size_t i) -> const Type& {
    return function.values[static_cast<std::size_t>(op.operands[i])];
  };
  return dot_of(op, type(0), type(1), type(2), dot) ? scratch_bytes(dot) : 0;
}

}  // namespace tritonrl::machine
