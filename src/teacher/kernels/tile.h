#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "teacher/kernels/source_kernel.h"

namespace tritonrl::teacher {

// The blocks of a tiled product (rows x cols, over ks) and how its programs run.
struct Tile {
  int rows = 64, cols = 64, ks = 32;
  std::string precision =
      "ieee";            // of tl.dot. TF32 alone misses 1e-4; three of them (tf32x3) hold it on the matrix units
  std::string options;   // of the launch
  bool grouped = false;  // programs that share operands run close together

  // "BM, BN, BK = (64, 64, 32)"
  std::string host_line() const;
};

// Canonical: always the same. Fast: for these sizes on a GPU like the H200.
Tile choose_tile(Variant variant, std::int64_t rows, std::int64_t cols, std::int64_t ks);

// The first lines of a tiled product's kernel: `pid`, `rows`, `cols` and, where there are several products, `z`.
std::vector<std::string> tile_indices(const Tile& tile, bool several);
// The programs of such a kernel: "(triton.cdiv(M, BM) * triton.cdiv(N, BN) * Z,)"
std::string tile_grid(bool several);

}  // namespace tritonrl::teacher
