#include "program/written_out.h"

#include <gtest/gtest.h>

namespace tritonrl::program {
namespace {

TEST(WrittenOut, CountsWhatIsDoneToElements) {
  struct Row {
    const char* recipe;
    int special, reduced, pointwise;
  };
  for (const Row& row : {
           Row{"tl.maximum(input, 0.0)", 0, 0, 1},
           Row{"-input", 0, 0, 0},
           Row{"input * 1e-05", 0, 0, 1},
           Row{"tl.where(input >= -lambd, input, 0.0)", 0, 0, 2},
           Row{"if approximate == 'none': 0.5 * input * (1.0 + tl.erf(input * 0.7))", 1, 0, 4},
           Row{"input * tl.sigmoid(input)", 1, 0, 4},
           Row{"libdevice.log1p(tl.exp(-tl.abs(input)))", 2, 0, 1},
           Row{"total = sum(input); total / count", 0, 1, 0},
           Row{"high = max(input); power = tl.exp(input - high); total = sum(power); power / total", 1, 2, 2},
           Row{"total = sum(input); mean = total / count; tl.sqrt(mean + eps)", 0, 1, 0},
       }) {
    const WrittenOut out = written_out(std::string_view(row.recipe));
    EXPECT_EQ(out.special, row.special) << row.recipe;
    EXPECT_EQ(out.reduced, row.reduced) << row.recipe;
    EXPECT_EQ(out.pointwise, row.pointwise) << row.recipe;
  }
}

}  // namespace
}  // namespace tritonrl::program
