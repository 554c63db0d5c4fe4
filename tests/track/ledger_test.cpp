#include "track/ledger.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::track {
namespace {

std::vector<DrawnTask> two_tasks() {
  return {{.task = {.id = "a", .source = "class Model: 'ü'", .entry_point = "Model"}, .level = 1, .prompt = {1, -2, 3}},
          {.task = {.id = "b", .source = "", .entry_point = ""}, .level = 2, .prompt = {}}};
}

LedgerSample sample(int index) {
  LedgerSample out;
  out.sample.id = "a";
  out.sample.index = index;
  out.sample.prompt = {1, -2, 3};
  out.sample.tokens = {7, 8};
  out.sample.log_probabilities = {-0.25f, -1e-6f};
  out.sample.text = std::string("one\0two", 7);
  out.sample.finish = record::FinishReason::kLength;
  out.sample.seed = 0xffffffffffffffff;
  out.sample.adapter_version = 4;
  out.temperature = 1.25;
  out.answer = "answer";
  out.program = "hash";
  return out;
}

class LedgerTest : public ::testing::Test {
 protected:
  base::ScratchFolder folder_;
  std::filesystem::path file_ = folder_.path("run/ledger.sqlite");
};

TEST_F(LedgerTest, GivesBackWhatItWasGiven) {
  record::Verdict verdict;
  verdict.kind = record::VerdictKind::kPassed;
  verdict.reward = 0.75;
  verdict.message = "right";
  const std::vector<Decision> decisions = {
      {.key = {1, 0, 0}, .what = "kept", .weight = 1, .plan_weight = 0.5, .why = "odd", .suspicious = true}};
  {
    Ledger ledger(file_);
    ledger.set("options", "{}");
    ledger.begin_round(1, {{"temperature", 0.5}}, two_tasks());
    ledger.add_samples(1, 0, std::vector<std::vector<LedgerSample>>{{sample(0), sample(1)}});
    ledger.add_verdict({1, 0, 1}, verdict);
    ledger.finish_round(1, {{"reward_mean", 0.75}}, decisions);
  }
  const Ledger ledger = Ledger::existing(file_);
  EXPECT_EQ(ledger.get("options"), "{}");
  EXPECT_EQ(ledger.get("nothing"), "");
  ASSERT_EQ(ledger.rounds().size(), 1U);
  EXPECT_TRUE(ledger.rounds()[0].done);
  EXPECT_EQ(ledger.rounds()[0].plan, (Numbers{{"temperature", 0.5}}));
  EXPECT_EQ(ledger.rounds()[0].metrics, (Numbers{{"reward_mean", 0.75}}));
  const std::vector<DrawnTask> tasks = ledger.tasks(1);
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].task.source, "class Model: 'ü'");
  EXPECT_EQ(tasks[0].prompt, (std::vector<std::int32_t>{1, -2, 3}));
  EXPECT_EQ(tasks[1].level, 2);
  const std::vector<LedgerSample> samples = ledger.samples(1, 0);
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[1].sample, sample(1).sample);
  EXPECT_EQ(samples[1].temperature, 1.25);
  EXPECT_EQ(samples[1].answer, "answer");
  EXPECT_FALSE(ledger.has_samples(1, 1));
  EXPECT_EQ(ledger.verdicts(1, 0).at(1), verdict);
  EXPECT_EQ(ledger.decisions(1), decisions);
  EXPECT_EQ(ledger.draws_of("b"), (std::vector<SampleKey>{{1, 1, 0}}));
}

TEST_F(LedgerTest, ForgetsLaterRoundsWithAllThatIsInThem) {
  Ledger ledger(file_);
  for (const std::int64_t round : {1, 2, 3}) {
    ledger.begin_round(round, {}, two_tasks());
    ledger.add_samples(round, 0, std::vector<std::vector<LedgerSample>>{{sample(0)}});
    ledger.finish_round(round, {}, std::vector<Decision>{{.key = {round, 0, 0}, .what = "kept", .why = {}}});
  }
  ledger.forget_after(1);
  EXPECT_EQ(ledger.rounds().size(), 1U);
  EXPECT_FALSE(ledger.has_samples(2, 0));
  EXPECT_TRUE(ledger.decisions(3).empty());
  EXPECT_EQ(ledger.draws_of("a").size(), 1U);
  ledger.begin_round(2, {}, two_tasks());  // can be begun again
}

TEST_F(LedgerTest, AnswersComeTogetherOrNotAtAll) {
  Ledger ledger(file_);
  ledger.begin_round(1, {}, two_tasks());
  // the second task's answer has the number of another one
  const std::vector<std::vector<LedgerSample>> bad = {{sample(0)}, {sample(0), sample(0)}};
  EXPECT_THROW(ledger.add_samples(1, 0, bad), base::UserError);
  EXPECT_FALSE(ledger.has_samples(1, 0));
}

TEST_F(LedgerTest, SaysWhatIsWrongWithAFile) {
  try {
    Ledger::existing(file_);
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("there is no such ledger"), std::string::npos) << error.what();
  }
  std::filesystem::create_directories(file_.parent_path());
  base::write_file_atomically(file_,
                              "this is no database, but long enough to be looked at by SQLite" + std::string(200, 'x'));
  try {
    const Ledger ledger(file_);
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find(file_.string()), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tritonrl::track
