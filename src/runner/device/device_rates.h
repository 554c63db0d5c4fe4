#pragma once

namespace tritonrl::runner {

// What the GPU reaches, measured: a physical floor for what programs can take.
struct MeasuredRates {
  double bytes_per_second = 0;       // read and written, the faster of a large copy and a large fill
  double matrix_ops_per_second = 0;  // of a large bfloat16 product; a multiply-add is two
};

// Takes some tens of milliseconds, and a GiB of memory for that long.
MeasuredRates measure_rates();

}  // namespace tritonrl::runner
