// Values at a task's own sizes without a GPU, through the judge: what is compared, what is told as unseen, and what is
// found.
#include "judge/stages/real_values.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/judge/test_funnel.h"

namespace tritonrl::judge {
namespace {

using record::VerdictKind;

// y = f(x) of [rows, 1024] by one program a row; `store` has offs, row and v = f(x) at hand.
Submission row_candidate(int rows, const std::string& function, const std::string& store,
                         const std::string& after = "return y") {
  Submission out;
  out.id = out.name = "candidate.py";
  out.task = {.id = "task.py",
              .source = "import torch\nROWS = " + std::to_string(rows) +
                        "\nCOLUMNS = 1024\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return " +
                        function + "\ndef get_inputs():\n    return [torch.rand(ROWS, COLUMNS)]\n" +
                        "def get_init_inputs():\n    return []\n",
              .entry_point = {}};
  out.code = R"(import torch, triton
import triton.language as tl

@triton.jit
def k(x, y, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    offs = row * n + at
    v = tl.load(x + offs, mask=at < n, other=1.0)
)" + store + R"(

class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        k[(x.shape[0],)](x, y, x.shape[0], x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        )" + after +
             "\n";
  return out;
}

const std::string kSigmoid = "    tl.store(y + offs, 1 / (1 + tl.exp(-v)), mask=at < n)\n";

record::Verdict judged_in(std::int64_t milliseconds, const Submission& one) {
  JudgeOptions options = test_judge_options();
  options.real_values_ms = milliseconds;
  Funnel funnel(test_funnel(), options);
  return funnel.judge(one);
}

bool notes_say(const record::Verdict& verdict, const std::string& text) {
  return std::any_of(verdict.notes.begin(), verdict.notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

using Unseen = std::vector<std::string>;

class RealValuesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (test_judge_options().device != "cpu") GTEST_SKIP() << "a GPU computes the real sizes as a whole";
  }
};

// More time shows more: nothing, sampled programs, all of them on a part of the rows; and all rows where they are few.
TEST_F(RealValuesTest, TellWhatTheyDidNotSee) {
  const Submission many = row_candidate(8192, "torch.sigmoid(x)", kSigmoid);
  const Submission few = row_candidate(1000, "torch.sigmoid(x)", kSigmoid);
  const auto unseen = [&](std::int64_t milliseconds, const Submission& one) {
    const record::Verdict verdict = judged_in(milliseconds, one);
    EXPECT_EQ(verdict.kind, VerdictKind::kPassed) << verdict.message;
    return verdict.unseen;
  };
  EXPECT_EQ(unseen(0, many), Unseen{"values_at_real_sizes"});
  EXPECT_EQ(unseen(1, many), Unseen{"programs_at_real_sizes"});
  EXPECT_EQ(unseen(100'000, many), Unseen{"rows_at_real_sizes"});
  EXPECT_EQ(unseen(100'000, few), Unseen{});
}

TEST_F(RealValuesTest, SayWhyNothingWasCompared) {
  const Submission dependent = row_candidate(4096, "torch.sigmoid(x) * x.mean()", kSigmoid, "return y * x.mean()");
  const record::Verdict together = judged_in(300, dependent);
  EXPECT_EQ(together.kind, VerdictKind::kPassed) << together.message;
  EXPECT_EQ(together.unseen, Unseen{"values_at_real_sizes"});
  EXPECT_TRUE(notes_say(together, "depend on one another"));
  const Submission asking =
      row_candidate(600, "torch.sigmoid(x) * x.max().item()", kSigmoid, "return y * x.max().item()");
  const record::Verdict asked = judged_in(300, asking);
  EXPECT_EQ(asked.kind, VerdictKind::kPassed) << asked.message;
  EXPECT_TRUE(notes_say(asked, "values that it asks for"));
}

// Wrong from row 4000 on: no size that is computed has so many.
TEST_F(RealValuesTest, FindWhatNoOtherSizeHas) {
  const Submission one =
      row_candidate(8192, "torch.sigmoid(x)",
                    "    tl.store(y + offs, 1 / (1 + tl.exp(-v)) + (row // 4000).to(tl.float32), mask=at < n)\n");
  const record::Verdict verdict = judged_in(300, one);
  EXPECT_EQ(verdict.kind, VerdictKind::kWrong) << verdict.message;
  EXPECT_EQ(verdict.rule, "unverified_at_real_shape");
  EXPECT_NE(verdict.message.find("of 8192 rows"), std::string::npos) << verdict.message;
  EXPECT_FALSE(verdict.expected.empty());
  EXPECT_FALSE(verdict.got.empty());
  EXPECT_EQ(judged_in(0, one).kind, VerdictKind::kPassed);
}

// The last row is stored by nobody where there are many: a sample does not miss it, all programs do.
TEST_F(RealValuesTest, FindOutputsThatNobodyStores) {
  const Submission one =
      row_candidate(8192, "torch.sigmoid(x)",
                    "    tl.store(y + offs, 1 / (1 + tl.exp(-v)), mask=at < n * tl.minimum(8191 - row, 1))\n");
  const record::Verdict verdict = judged_in(100'000, one);
  EXPECT_EQ(verdict.kind, VerdictKind::kWrong) << verdict.message << testing::PrintToString(verdict.unseen);
  EXPECT_NE(verdict.message.find("is stored by no program"), std::string::npos) << verdict.message;
}

// Inputs are around zero unless the reference refuses that.
TEST_F(RealValuesTest, TakePositiveInputsWhereTheReferenceNeedsThem) {
  const std::string store = "    tl.store(y + offs, tl.log(v), mask=at < n)\n";
  const record::Verdict right = judged_in(300, row_candidate(8192, "torch.log(x)", store));
  EXPECT_EQ(right.kind, VerdictKind::kPassed) << right.message;
  EXPECT_EQ(std::count(right.unseen.begin(), right.unseen.end(), "values_at_real_sizes"), 0);
  const std::string late = "    tl.store(y + offs, tl.log(v) + (row // 4000).to(tl.float32), mask=at < n)\n";
  const record::Verdict wrong = judged_in(300, row_candidate(8192, "torch.log(x)", late));
  EXPECT_EQ(wrong.kind, VerdictKind::kWrong) << wrong.message;
  EXPECT_EQ(wrong.rule, "unverified_at_real_shape");
}

// One program stores into its neighbour's row, too: no other size has it, and no sample but by chance.
TEST_F(RealValuesTest, FindRacesOfAllPrograms) {
  const Submission one = row_candidate(8192, "torch.sigmoid(x)",
                                       kSigmoid + "    tl.store(y + offs - n, v, mask=(at < n) & (row == 5000))\n");
  const record::Verdict verdict = judged_in(100'000, one);
  EXPECT_EQ(verdict.kind, VerdictKind::kWrong) << verdict.message;
  EXPECT_EQ(verdict.rule, "race") << verdict.message;
}

}  // namespace
}  // namespace tritonrl::judge
