#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "teacher/kernels/source_kernel.h"

namespace tritonrl::teacher {

// The blocks of a tiled product (rows x cols, over ks) and how its programs run.
struct Tile {
  int rows = 64, cols = 64, ks = 32;
  bool grouped = false;  // programs that share operands run close together
  Schedule taken = {};   // what it is made by

  // "BM, BN, BK = (64, 64, 32)"
  std::string host_line() const;
};

// What a schedule leaves open: canonical is always the same, fast for these sizes on a GPU like the H200. A tile that
// no GPU could hold is not taken.
Tile choose_tile(const Schedule& asked, std::int64_t rows, std::int64_t cols, std::int64_t ks);

// "BM, BK = (4, 1024)": of a kernel that sums rows without tl.dot; `taken` notes what it has.
std::string sum_tile(const Schedule& asked, const Tile& usual, Schedule& taken);

// The first lines of a tiled product's kernel: `pid`, `rows`, `cols` and, where there are several products, `z`.
std::vector<std::string> tile_indices(const Tile& tile, bool several);
// The programs of such a kernel: "(triton.cdiv(M, BM) * triton.cdiv(N, BN) * Z,)"
std::string tile_grid(bool several);

}  // namespace tritonrl::teacher
