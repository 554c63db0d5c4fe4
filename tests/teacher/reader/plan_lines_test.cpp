// Plans with one operator a line.
#include <gtest/gtest.h>

#include "tests/teacher/reader/rewritten.h"

namespace tritonrl::teacher {
namespace {

const RewriteOptions kByLine{.plan = PlanForm::kLines};

TEST(PlanLines, EveryOperatorHasALineInTheOrderOfTheSource) {
  const Rewritten answer =
      rewritten(module_text("z = torch.sigmoid(x)\nz = z * (y + 1.0)\nreturn F.relu(z) + 1.5"), kByLine);
  EXPECT_EQ(answer.plan,
            "# fused1 pointwise\n#   z = sigmoid(x)\n#   _1 = add(y, 1.0)\n#   z = mul(z, _1)\n#   _2 = relu(z)\n"
            "#   add(_2, 1.5)\n");
  EXPECT_TRUE(answer.solution.starts_with(answer.plan));
}

TEST(PlanLines, TheCodeIsTheSameAsBehindANestedPlan) {
  for (const char* forward :
       {"z = torch.softmax(x, dim=1) * self.w.view(6, 1, 1)\nreturn z - z.mean(), z",
        "return F.cross_entropy(v, torch.argmax(v, 1))", "return F.mse_loss(torch.tanh(x), y) * 2.0",
        "x = x.relu_()\nz = self.w\nreturn x * 2.0 + y.mean(dim=(2, 3), keepdim=True)"}) {
    const Rewritten nested = rewritten(module_text(forward)), lines = rewritten(module_text(forward), kByLine);
    EXPECT_EQ(nested.solution.substr(nested.plan.size()), lines.solution.substr(lines.plan.size()));
  }
}

TEST(PlanLines, ALossIsTwoOperators) {
  const Rewritten answer = rewritten(module_text("return F.mse_loss(torch.tanh(x), y)"), kByLine);
  EXPECT_EQ(answer.plan, "# fused1 full\n#   _1 = tanh(x)\n#   _2 = mse_loss(_1, y)\n#   mean(_2)\n");
}

}  // namespace
}  // namespace tritonrl::teacher
