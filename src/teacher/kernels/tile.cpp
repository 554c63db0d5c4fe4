#include "teacher/kernels/tile.h"

#include <algorithm>

namespace tritonrl::teacher {
namespace {

constexpr std::int64_t kProcessors = 132;  // of an H200

constexpr int kUsualStages = 3;                   // Triton's own
constexpr std::int64_t kSharedBytes = 227 << 10;  // of a processor
constexpr int kMostResults = 128 * 256;           // of a program: they are in registers

// tl.dot wants at least 16 of each; the blocks of both operands are in shared memory, once a stage.
bool fits(const Tile& tile, int stages) {
  const std::int64_t operands = std::int64_t{tile.rows + tile.cols} * tile.ks;
  return std::min({tile.rows, tile.cols, tile.ks}) >= 16 && tile.rows * tile.cols <= kMostResults &&
         operands * 4 * stages <= kSharedBytes;
}

int block_for(std::int64_t size) {
  return size > 64 ? 128 : size > 32 ? 64 : 32;
}

}  // namespace

std::string Tile::host_line() const {
  return "BM, BN, BK = (" + std::to_string(rows) + ", " + std::to_string(cols) + ", " + std::to_string(ks) + ")";
}

Tile choose_tile(const Schedule& asked, std::int64_t rows, std::int64_t cols, std::int64_t ks) {
  Tile tile;
  Schedule& taken = tile.taken;
  taken.dot = DotPrecision::kIeee;
  if (asked.variant == Variant::kFast) {
    taken.dot = DotPrecision::kTf32x3;
    tile.rows = block_for(rows);
    tile.cols = block_for(cols);
    const auto programs = [&] { return ((rows + tile.rows - 1) / tile.rows) * ((cols + tile.cols - 1) / tile.cols); };
    // Idle processors cost more than small tiles.
    while (programs() < kProcessors && std::max(tile.rows, tile.cols) > 32) {
      (tile.rows >= tile.cols ? tile.rows : tile.cols) /= 2;
    }
    tile.ks = ks > 16 ? 32 : 16;
    const bool large = tile.rows * tile.cols >= 128 * 128;
    taken.warps = large ? 8 : 4;
    taken.stages = large ? 3 : 4;
    tile.grouped = rows > tile.rows * 8L && cols > tile.cols;
  }
  const Tile wanted{
      .rows = asked.m.value_or(tile.rows), .cols = asked.n.value_or(tile.cols), .ks = asked.k.value_or(tile.ks)};
  if (fits(wanted, asked.stages.value_or(taken.stages.value_or(kUsualStages)))) {
    tile.rows = wanted.rows;
    tile.cols = wanted.cols;
    tile.ks = wanted.ks;
    if (asked.stages) taken.stages = asked.stages;
  }
  if (asked.dot) taken.dot = asked.dot;
  if (asked.warps) taken.warps = asked.warps;
  tile.grouped = tile.grouped || asked.grouped;
  taken.m = tile.rows;
  taken.n = tile.cols;
  taken.k = tile.ks;
  taken.grouped = tile.grouped;
  return tile;
}

std::string sum_tile(const Schedule& asked, const Tile& usual, Schedule& taken) {
  const int rows = asked.m.value_or(usual.rows), ks = asked.k.value_or(usual.ks);
  const bool taken_so = std::int64_t{rows} * ks <= kMostAtOnce;
  taken.m = taken_so ? rows : usual.rows;
  taken.k = taken_so ? ks : usual.ks;
  return "BM, BK = (" + std::to_string(*taken.m) + ", " + std::to_string(*taken.k) + ")";
}

std::vector<std::string> tile_indices(const Tile& tile, bool several) {
  std::vector<std::string> out = {"pid = tl.program_id(0)"};
  if (tile.grouped) {
    out.push_back("tiles = tl.cdiv(M, BM) * tl.cdiv(N, BN)");
    out.push_back("i = pid % tiles // tl.cdiv(N, BN)");
    out.push_back("j = pid % tiles % tl.cdiv(N, BN)");
    out.push_back("i, j = tl.swizzle2d(i, j, tl.cdiv(M, BM), tl.cdiv(N, BN), 8)");
    out.push_back("rows = i * BM + tl.arange(0, BM)");
    out.push_back("cols = j * BN + tl.arange(0, BN)");
    if (several) out.push_back("z = pid // tiles");
    return out;
  }
  out.push_back("rows = pid % tl.cdiv(M, BM) * BM + tl.arange(0, BM)");
  if (several) {
    out.push_back("cols = pid // tl.cdiv(M, BM) % tl.cdiv(N, BN) * BN + tl.arange(0, BN)");
    out.push_back("z = pid // (tl.cdiv(M, BM) * tl.cdiv(N, BN))");
  } else {
    out.push_back("cols = pid // tl.cdiv(M, BM) * BN + tl.arange(0, BN)");
  }
  return out;
}

std::string tile_grid(bool several) {
  return several ? "(triton.cdiv(M, BM) * triton.cdiv(N, BN) * Z,)" : "(triton.cdiv(M, BM) * triton.cdiv(N, BN),)";
}

}  // namespace tritonrl::teacher
