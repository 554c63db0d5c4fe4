#include "teacher/kernels/tile.h"

#include <algorithm>

namespace tritonrl::teacher {
namespace {

constexpr std::int64_t kProcessors = 132;  // of an H200

int block_for(std::int64_t size) {
  return size > 64 ? 128 : size > 32 ? 64 : 32;
}

}  // namespace

std::string Tile::host_line() const {
  return "BM, BN, BK = (" + std::to_string(rows) + ", " + std::to_string(cols) + ", " + std::to_string(ks) + ")";
}

Tile choose_tile(Variant variant, std::int64_t rows, std::int64_t cols, std::int64_t ks) {
  Tile tile;
  if (variant == Variant::kCanonical) return tile;
  tile.precision = "tf32x3";
  tile.rows = block_for(rows);
  tile.cols = block_for(cols);
  const auto programs = [&] { return ((rows + tile.rows - 1) / tile.rows) * ((cols + tile.cols - 1) / tile.cols); };
  // Idle processors cost more than small tiles.
  while (programs() < kProcessors && std::max(tile.rows, tile.cols) > 32) {
    (tile.rows >= tile.cols ? tile.rows : tile.cols) /= 2;
  }
  tile.ks = ks > 16 ? 32 : 16;
  const int area = tile.rows * tile.cols;
  tile.options = area >= 128 * 128 ? "num_warps=8, num_stages=3" : "num_warps=4, num_stages=4";
  tile.grouped = rows > tile.rows * 8L && cols > tile.cols;
  return tile;
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
