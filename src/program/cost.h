#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "program/operator_table.h"
#include "program/program.h"
#include "program/target.h"

namespace tritonrl::program {

// Which unit does the arithmetic, hence which of the target's rates holds.
enum class Precision : std::uint8_t { kFp64, kFp32, kTf32, kFp16, kBf16, kFp8, kInt8 };

std::string_view to_string(Precision precision);  // "fp32"

// The target's peak, operations a second; fp8 is widened where there are no such units.
double rate_of(const Target& target, Precision precision);

struct CostOptions {
  bool tf32_matmul = false;      // float32 matrix products on the TF32 units (torch's default is off)
  bool tf32_convolution = true;  // float32 convolutions on them (cuDNN's default in torch is on)
};

// What a call must do, whatever the target: a floor that a well-made kernel comes close to, not a simulation of torch's
// own.
struct Cost {
  double bytes_read = 0, bytes_written = 0;  // of GPU memory; every byte of a view once, expanded dimensions once
  double host_bytes = 0;                     // over the link between host and GPU
  double matrix_ops = 0;                     // of matrix products and convolutions; a multiply-add is two
  double scalar_ops = 0;                     // all other arithmetic
  Precision matrix_precision = Precision::kFp32;
  Precision scalar_precision = Precision::kFp32;  // kFp32 or kFp64
  double launches = 0;                            // kernels that wait for one another; 0 for what no kernel does

  double bytes() const { return bytes_read + bytes_written; }
};

// Views and allocations cost nothing, fills are written, an in-place call reads and writes its operand, a gather reads
// what it picks. Norms and softmax read their input once more where one statistic covers more than a block can hold (64
// KiB). Recurrent layers launch once a time step and layer. Causal attention does the lower half only. Work on host
// tensors is counted as if the target did it. An operator outside the table counts as pointwise without arithmetic.
Cost cost_of(const Program& program, const AtenCall& call, const CostOptions& options = {});

// A kernel's own reads and arithmetic are unknown here: every tensor it is given counts once, as read.
Cost cost_of(const Program& program, const Launch& launch);

// Of a well-made kernel: launches · overhead + max(bytes / bandwidth reached, matrix_ops / rate reached, scalar_ops /
// rate) + host_bytes / link.
double modelled_seconds(const Cost& cost, const Target& target);

// Of torch's own kernels for the call, which reach less: norms and softmax pass over their input more than once,
// broadcast operands leave the vectorised path, few rows leave most of the chip idle. cost_eager.cpp has the table.
double eager_seconds(const Program& program, const AtenCall& call, const Target& target,
                     const CostOptions& options = {});

struct StepCost {
  std::size_t step = 0;  // index into the steps
  Cost cost;
  double seconds = 0;                            // eager_seconds of a call, modelled_seconds of a launch
  OperatorKind kind = OperatorKind::kPointwise;  // of ATen calls
  bool launch = false;                           // a kernel launch: cost is a guess from its operands
};

struct ProgramCost {
  std::vector<StepCost> steps;  // ATen calls and launches; questions have none
  double bytes_read = 0, bytes_written = 0, matrix_ops = 0, scalar_ops = 0;
  double seconds = 0;         // of all steps, and target.start_overhead if there are any kernels
  double launch_seconds = 0;  // the part of `seconds` that launches make up
  int calls = 0, launches = 0, questions = 0;
  bool has_unknown = false;  // launches are among the steps, so the totals are a guess
};

ProgramCost cost_of(const Program& program, std::span<const Step> steps, const Target& target,
                    const CostOptions& options = {});
// Of one forward pass; `forward` must be an index into program.forwards.
ProgramCost cost_of(const Program& program, const Target& target, std::size_t forward, const CostOptions& options = {});

// Bytes of memory under the view: a dimension of stride 0 counts once, overlapping windows no more than what they span.
double unique_bytes(const Tensor& tensor);

}  // namespace tritonrl::program
