// --live and --baseline compile through the whole judge: on a GPU alone (TRITONRL_TEST_DEVICE=cuda).
#include <gtest/gtest.h>

#include <cstdlib>

#include "judge/funnel.h"
#include "tests/judge/test_funnel.h"

namespace tritonrl::judge {
namespace {

constexpr const char* kTask = R"(
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x) * 2 + 1
def get_inputs():
    return [torch.randn(2048, 1024)]
def get_init_inputs():
    return []
)";

// The right kernel; `factor` says what becomes of its result.
std::string candidate(const std::string& factor) {
  return R"(
import sys
import torch, triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, y_ptr, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, (tl.maximum(x, 0.0) * 2 + 1) * factor, mask=at < n)

class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        factor = )" +
         factor + R"(
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), factor, BLOCK=1024)
        return y
)";
}

Submission submission(const std::string& code) {
  Submission out;
  out.id = out.name = "mine.py";
  out.code = code;
  out.task = {.id = "task.py", .source = kTask, .entry_point = {}};
  return out;
}

class LiveJudge : public testing::Test {
 protected:
  void SetUp() override {
    if (test_judge_options().device == "cpu") GTEST_SKIP() << "needs a GPU: TRITONRL_TEST_DEVICE=cuda";
  }

  static Funnel& funnel() {
    static Funnel one(test_replayer_options(), [] {
      JudgeOptions options = test_judge_options();
      options.live = true;
      options.baseline = "compile";
      return options;
    }());
    return one;
  }
};

TEST_F(LiveJudge, AnHonestFileAgreesAndIsHeldAgainstTorchCompile) {
  const record::Verdict verdict = funnel().judge(submission(candidate("1.0")));
  EXPECT_EQ(verdict.kind, record::VerdictKind::kPassed) << verdict.message;
  ASSERT_TRUE(verdict.live);
  EXPECT_EQ(verdict.live->agrees, true) << verdict.live->message;
  EXPECT_EQ(verdict.live->message, "");
  EXPECT_GT(verdict.live->wall_us.value_or(0), 0);
  EXPECT_GT(verdict.live->speedup.value_or(0), 0);
  ASSERT_TRUE(verdict.timing);
  for (const std::string& note : verdict.notes) EXPECT_EQ(note.find("torch.compile"), std::string::npos) << note;
  EXPECT_EQ(verdict.timing->baseline, "compile");
  ASSERT_TRUE(verdict.timing->compile_us);
  EXPECT_EQ(verdict.timing->speedup, verdict.timing->speedup_over_compile);
  EXPECT_GT(*verdict.timing->compile_us, 0);
  EXPECT_NEAR(*verdict.timing->speedup_over_compile, *verdict.timing->compile_us / verdict.timing->candidate_us, 1e-3);
}

TEST_F(LiveJudge, AFileThatIsRightOnlyWhereItIsRecordedDiffers) {
  const record::Verdict verdict = funnel().judge(submission(candidate("1.0 if 'recorder' in sys.modules else 3.0")));
  EXPECT_EQ(verdict.kind, record::VerdictKind::kWrong);
  EXPECT_EQ(verdict.rule, "differs_live") << verdict.message;
  EXPECT_EQ(verdict.stage, record::Stage::kTiming);
  EXPECT_NE(verdict.expected, verdict.got);
  ASSERT_TRUE(verdict.live);
  EXPECT_EQ(verdict.live->agrees, false);
}

}  // namespace
}  // namespace tritonrl::judge
