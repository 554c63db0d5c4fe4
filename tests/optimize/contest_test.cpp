#include "optimize/contest.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/error.h"
#include "optimize/search.h"
#include "tests/optimize/scripted.h"

namespace tritonrl::optimize {
namespace {

const record::Task kTask = {.id = "M", .source = "torch.rand([64])", .entry_point = "M"};

TEST(Contest, JudgesEachTextOnceAndKnowsTheFastest) {
  ReadingJudge judge;
  std::vector<std::string> told;
  Contest contest(judge, kTask,
                  {.workers = 2, .over = {}, .tried = [&](const Tried& one) { told.push_back(one.candidate.source); }});
  EXPECT_EQ(contest.best(), nullptr);
  contest.judge({candidate("a", "speed 1.5"), candidate("b", "nothing"), candidate("c", "speed 2.5")});
  Candidate commented = candidate("d", "speed 2.5");
  commented.code = "# another comment\n\n" + commented.code;
  contest.judge({std::move(commented), candidate("e", "speed 2.0")});
  EXPECT_EQ(told, (std::vector<std::string>{"a", "b", "c", "e"}));
  EXPECT_EQ(contest.repeated(), 1);
  EXPECT_EQ(judge.judged, 4);
  ASSERT_NE(contest.best(), nullptr);
  EXPECT_EQ(contest.best()->candidate.source, "c");
}

TEST(Contest, BeginsNothingNewWhenTheTimeIsOver) {
  std::atomic<bool> over = false;
  judge::ScriptedJudge slow([&](const judge::Submission&) {
    over = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return record::Verdict{};
  });
  Contest contest(slow, kTask, {.workers = 1, .over = [&](double) { return over.load(); }, .tried = {}});
  contest.judge({candidate("a", "1"), candidate("b", "2"), candidate("c", "3")});
  EXPECT_EQ(contest.all().size(), 1u);
  EXPECT_EQ(contest.without_time(), 2);
}

TEST(Contest, BeginsNothingThatWouldEndTooLate) {
  judge::ScriptedJudge slow([&](const judge::Submission&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return record::Verdict{};
  });
  double longest = 0;
  Contest contest(slow, kTask, {.workers = 1, .over = [&](double seconds) {
                                  return (longest = std::max(longest, seconds)) > 0.05;
                                }});
  contest.judge({candidate("a", "1")});
  EXPECT_EQ(contest.all().size(), 1u) << "what one takes is not known before";
  EXPECT_TRUE(contest.over());
  EXPECT_LT(longest, 30);
  contest.judge(
      {candidate("b", "2"), candidate("c", "3"), candidate("d", "4"), candidate("e", "5"), candidate("f", "6")});
  EXPECT_GE(contest.without_time(), 3);
}

TEST(Contest, ATaskThatMustBeFixedIsTold) {
  judge::ScriptedJudge refusing(
      [](const judge::Submission&) -> record::Verdict { throw base::UserError("task", "mend it"); });
  Contest contest(refusing, kTask, {});
  EXPECT_THROW(contest.judge({candidate("a", "1")}), base::UserError);
}

// A kernel whose speed is best at BLOCK 256 and two warps.
record::Verdict by_numbers(const judge::Submission& submission) {
  const auto number = [&](const std::string& name, double usual) {
    const std::size_t at = submission.code.find(name + "=");
    return at == std::string::npos ? usual : std::stod(submission.code.substr(at + name.size() + 1));
  };
  const auto distance = [](double a, double b) { return a > b ? a / b : b / a; };
  record::Verdict out;
  out.kind = record::VerdictKind::kPassed;
  out.timing.emplace().speedup = 4 / distance(number("BLOCK", 1), 256) / distance(number("num_warps", 4), 2);
  return out;
}

TEST(Search, WalksToTheFastestNumbers) {
  judge::ScriptedJudge judge(by_numbers);
  Contest contest(judge, kTask, {.workers = 2, .over = {}, .tried = {}});
  contest.judge({{.source = "teacher, fast",
                  .code = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x, BLOCK: tl.constexpr):\n"
                          "    pass\n\ndef f(x):\n    k[triton.cdiv(n, 1024),](x, BLOCK=1024)\n"}});
  const int judged = search(contest, 30);
  EXPECT_LE(judged, 30);
  EXPECT_EQ(contest.best()->speedup(), 4);
  EXPECT_NE(contest.best()->candidate.code.find("cdiv(n, 256)"), std::string::npos) << contest.best()->candidate.code;
  EXPECT_NE(contest.best()->candidate.code.find("BLOCK=256, num_warps=2"), std::string::npos);
  EXPECT_TRUE(contest.best()->candidate.source.ends_with(" of teacher, fast")) << contest.best()->candidate.source;
  EXPECT_EQ(static_cast<int>(contest.all().size()), judged + 1);
}

TEST(Search, JudgesNoMoreThanItMay) {
  judge::ScriptedJudge judge(by_numbers);
  Contest contest(judge, kTask, {.workers = 4, .over = {}, .tried = {}});
  EXPECT_EQ(search(contest, 5), 0) << "there is nothing to begin with";
  contest.judge(
      {{.source = "a",
        .code = "@triton.jit\ndef k(x, BLOCK: tl.constexpr):\n    pass\n\ndef f(x):\n    k[n,](x, BLOCK=1024)\n"}});
  EXPECT_LE(search(contest, 3), 3);
  EXPECT_LE(contest.all().size(), 4u);
}

}  // namespace
}  // namespace tritonrl::optimize
