#include "judge/kernel_tiles.h"

#include <gtest/gtest.h>

namespace tritonrl::judge {
namespace {

constexpr const char* kMasked =
    "  %5 = tt.load %4, %3 : tensor<1024x!tt.ptr<f32>> loc(#loc5)\n"
    "  %6 = arith.maximumf %5, %cst : tensor<1024xf32> loc(#loc6)\n"
    "  tt.store %8, %6, %3 : tensor<1024x!tt.ptr<f32>> loc(#loc7)\n";

TEST(KernelTiles, SizesOfAllDimensions) {
  KernelTiles tiles;
  tiles.add("%1 = tt.dot %a, %b, %c : tensor<64x32xf32> * tensor<32x128xf32> -> tensor<64x128xf32>\n");
  tiles.add("%2 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>\n");
  EXPECT_EQ(tiles.sizes, (std::vector<std::int64_t>{32, 64, 128}));
}

TEST(KernelTiles, ABlockWithoutAMaskIsSeen) {
  const auto unmasked = [](const std::string& ir) {
    KernelTiles tiles;
    tiles.add(ir);
    return tiles.unmasked;
  };
  EXPECT_FALSE(unmasked(kMasked));
  EXPECT_TRUE(unmasked(std::string(kMasked) + "  %9 = tt.load %4 : tensor<1024x!tt.ptr<f32>> loc(#loc5)\n"));
  EXPECT_TRUE(unmasked("  tt.store %8, %6 : tensor<1024x!tt.ptr<f32>> loc(#loc7)\n"));
  EXPECT_TRUE(unmasked("  %9 = tt.load %4 evictionPolicy = evict_last : tensor<1024x!tt.ptr<f32>>\n"));
  // one element is no block
  EXPECT_FALSE(unmasked("  %9 = tt.load %4 : !tt.ptr<f32> loc(#loc5)\n"));
  // a block pointer looks after its edges where it is told to
  EXPECT_FALSE(unmasked("  %9 = tt.load %4 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xf32>>\n"));
  EXPECT_TRUE(unmasked("  %9 = tt.load %4 : !tt.ptr<tensor<64x32xf32>>\n"));
}

}  // namespace
}  // namespace tritonrl::judge
