#include "runner/device/output_watch.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

// On the host: what it looks at and finds does not depend on the device.

namespace tritonrl::runner {
namespace {

at::Tensor numbers() {
  return at::randn({1000, 3001});
}

TEST(OutputWatch, IsContentWithTheSameAndWithRounding) {
  OutputWatch watch(7);
  const at::Tensor first = numbers();
  watch.look({first, first.to(at::kHalf)});
  watch.look({first.clone(), first.to(at::kHalf)});
  watch.look({first.mul(1 + 1e-5), first.mul(1 + 1e-3).to(at::kHalf)});
  EXPECT_EQ(watch.differing(), 0);
}

TEST(OutputWatch, FindsRowsThatWereLeftOut) {
  OutputWatch watch(8);
  const at::Tensor first = numbers();
  watch.look({first});
  for (const int rows : {1000, 500, 5}) {
    at::Tensor later = first.clone();
    later.narrow(0, 400, std::min(rows, 600)).fill_(0.25);
    watch.look({later});
  }
  EXPECT_EQ(watch.differing(), 3);
}

TEST(OutputWatch, LooksAtEveryOutputAndType) {
  OutputWatch watch(9);
  const at::Tensor first = numbers(), indices = at::arange(100'000), flags = at::ones({17}, at::kBool);
  watch.look({first, indices, flags});
  watch.look({first, indices.add(1), flags});
  watch.look({first, indices, flags.logical_not()});
  watch.look({first.t().contiguous().t(), indices, flags});  // another layout is other memory, the judge refuses it
  EXPECT_GE(watch.differing(), 2);
  OutputWatch none(10);
  none.look({at::ones({0})});
  none.look({at::ones({0})});
  EXPECT_EQ(none.differing(), 0);
}

TEST(OutputWatch, NotANumberIsTheSameAsItself) {
  OutputWatch watch(11);
  const at::Tensor first = numbers();
  first.narrow(0, 0, 10).fill_(std::nan(""));
  watch.look({first});
  watch.look({first.clone()});
  EXPECT_EQ(watch.differing(), 0);
  watch.look({first.nan_to_num(0, 0, 0)});
  EXPECT_EQ(watch.differing(), 1);
}

}  // namespace
}  // namespace tritonrl::runner
