#include "rl/loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/hash64.h"
#include "generate/scripted_generator.h"
#include "judge/scripted_judge.h"
#include "rl/explain.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::rl {
namespace {

// Whoever asks next is killed.
struct Killed {};

// A learner that learns nothing but counts, and keeps its state in memory as a checkpoint would.
class CountingLearner : public Learner {
 public:
  std::int64_t version() const override { return version_; }
  track::Numbers learn(std::span<const Lesson> lessons, const LearnContext& context) override {
    version_ += static_cast<std::int64_t>(lessons.size());
    for (const Lesson& lesson : lessons) {
      learnt.push_back(std::to_string(context.round) + " " + lesson.sample.id + " " +
                       std::to_string(lesson.sample.index) + " " + std::to_string(lesson.weights.at(0)));
    }
    if (dies_in_learn) throw Killed();
    return {{"loss", 1}};
  }
  void save(std::int64_t round, const std::string& state) override {
    if (dies_in_save) throw Killed();
    saved_round = round;
    saved = state;
    saved_version = version_;
    saved_learnt = learnt;
  }
  std::filesystem::path finish() override { return "final"; }
  // As a process that starts anew from the checkpoint.
  void restart() {
    version_ = saved_version;
    learnt = saved_learnt;
    dies_in_learn = dies_in_save = false;
  }

  bool dies_in_learn = false, dies_in_save = false;
  std::vector<std::string> learnt, saved_learnt;
  std::int64_t saved_round = 0, saved_version = 0;
  std::string saved;

 private:
  std::int64_t version_ = 0;
};

std::string answer_of(std::uint64_t seed, int index) {
  return "```python\nclass ModelNew:\n    x = " +
         std::to_string(base::mix64(seed + static_cast<std::uint64_t>(index)) % 7) + "\n```";
}

// A verdict that depends on the code alone: two of seven are right.
record::Verdict verdict_of(const judge::Submission& submission) {
  const int digit = submission.code.at(submission.code.find("= ") + 2) - '0';
  const int value = digit < 2 ? 7 + digit : digit;
  record::Verdict verdict;
  verdict.reward = value / 10.0;
  verdict.kind = value >= 7 ? record::VerdictKind::kPassed : record::VerdictKind::kWrong;
  verdict.stage = record::Stage::kTiming;
  return verdict;
}

class LoopTest : public ::testing::Test {
 protected:
  LoopTest() {
    for (int i = 0; i < 12; ++i) {
      pool_.push_back(
          {.task = {.id = "task" + std::to_string(i), .source = "", .entry_point = ""}, .level = i < 8 ? 1 : 2});
    }
    options_.rounds = 3;
    options_.round_tasks = 5;
    options_.samples = 4;
    options_.tasks_at_once = 2;
    options_.workers = 2;
    options_.best_of.reward_floor = 0.3;
    options_.curriculum.curriculum_window = 60;
    options_.curriculum.curriculum_trigger_threshold = 0;
  }

  RlOutcome run(track::Ledger& ledger, CountingLearner& learner, Ranks* ranks = nullptr) {
    generate::ScriptedGenerator generator([&](const generate::GenerateRequest& request, int index) {
      if (asks_left_ >= 0 && asks_left_-- == 0) throw Killed();
      if (index == 0) ++asked_;
      return answer_of(request.seed, index);
    });
    generator.adapter_version = learner.version();
    // the generator answers with the weights as they are
    struct Following : generate::Generator {
      generate::ScriptedGenerator& inner;
      CountingLearner& learner;
      Following(generate::ScriptedGenerator& generator, CountingLearner& counting)
          : inner(generator), learner(counting) {}
      std::vector<record::Sample> generate(std::span<const generate::GenerateRequest> requests,
                                           const generate::GenerateEvents& events) override {
        inner.adapter_version = learner.version() + stale;
        return inner.generate(requests, events);
      }
      std::int64_t stale = 0;
    } following(generator, learner);
    following.stale = stale_;
    judge::ScriptedJudge judge([&](const judge::Submission& submission) {
      {
        const std::lock_guard lock(mutex_);  // asked on several threads
        ++judged_[submission.id];
      }
      if (broken_judge_) return record::Verdict();
      return verdict_of(submission);
    });
    RlRun all{.options = options_,
              .seed = 3,
              .options_key = key_,
              .pool = pool_,
              .tools = {.generator = following,
                        .judge = judge,
                        .sampling = {.temperature = 1.0, .stop_strings = {}, .stop_tokens = {}}},
              .learner = learner,
              .ledger = ledger,
              .ranks = ranks};
    all.tools.ask = [&](const record::Task& task) -> std::optional<text::AskedPrompt> {
      if (task.id == too_long_) return std::nullopt;
      return text::AskedPrompt{.tokens = {1, 2, task.id.back()}};
    };
    all.tools.stopped = [&] { return stop_; };
    if (learner.saved_round > 0) {
      RlState state;
      base::read_fields(*base::Json::try_parse(learner.saved), state);
      all.from = state;
    }
    all.say = [&](const std::string& line) { said_.push_back(line); };
    all.metrics = [&](std::int64_t round, const track::Numbers& numbers) { metrics_[round] = numbers; };
    return run_rl(all);
  }

  std::string path(const std::string& name) const { return folder_.path(name); }

  // Everything that a ledger says, but for times.
  static std::string text_of(const track::Ledger& ledger) {
    std::string out;
    for (const track::LedgerRound& round : ledger.rounds()) {
      out += "round " + std::to_string(round.round) + (round.done ? " done" : "") + "\n";
      for (const auto& [name, value] : round.metrics) {
        if (name.find("seconds") == std::string::npos) out += name + "=" + std::to_string(value) + " ";
      }
      const auto tasks = ledger.tasks(round.round);
      for (std::size_t place = 0; place < tasks.size(); ++place) {
        out += "\n" + tasks[place].task.id;
        for (const auto& each : ledger.samples(round.round, static_cast<std::int64_t>(place)))
          out += " [" + each.answer + " v" + std::to_string(each.sample.adapter_version) + "]";
        for (const auto& [index, verdict] : ledger.verdicts(round.round, static_cast<std::int64_t>(place)))
          out += " " + std::to_string(*verdict.reward);
      }
      for (const auto& each : ledger.decisions(round.round)) out += " " + each.what + std::to_string(each.weight);
    }
    return out;
  }

  base::ScratchFolder folder_;
  std::vector<PoolTask> pool_;
  RlOptions options_;
  std::string key_ = "{\"a\": 1}";
  int asks_left_ = -1;  // answers until the program is killed; negative: never
  std::atomic<int> asked_ = 0;
  std::int64_t stale_ = 0;
  std::string too_long_;  // a task that leaves no room
  bool broken_judge_ = false, stop_ = false;
  std::mutex mutex_;
  std::map<std::string, int> judged_;
  std::vector<std::string> said_;
  std::map<std::int64_t, track::Numbers> metrics_;
};

// Ranks that are threads.
class ThreadRanks : public Ranks {
 public:
  struct Meeting {
    explicit Meeting(int ranks) : said(static_cast<std::size_t>(ranks)), met(ranks) {}
    std::vector<std::string> said;
    std::barrier<> met;
  };
  ThreadRanks(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int ranks() const override { return static_cast<int>(meeting_.said.size()); }
  std::vector<std::string> all(const std::string& mine) override {
    meeting_.said[static_cast<std::size_t>(rank_)] = mine;
    meeting_.met.arrive_and_wait();
    std::vector<std::string> out = meeting_.said;
    meeting_.met.arrive_and_wait();
    return out;
  }

 private:
  Meeting& meeting_;
  int rank_;
};

TEST_F(LoopTest, SeveralRanksAreOne) {
  options_.round_tasks = 7;
  track::Ledger whole(path("whole.sqlite"));
  CountingLearner alone;
  run(whole, alone);
  const int asked = asked_;
  judged_.clear();
  constexpr int kRanks = 3;
  ThreadRanks::Meeting meeting(kRanks);
  std::vector<CountingLearner> learners(kRanks);
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < kRanks; ++rank) {
      threads.emplace_back([&, rank] {
        track::Ledger ledger(path("rank" + std::to_string(rank)));
        ThreadRanks ranks(meeting, rank);
        EXPECT_TRUE(run(ledger, learners[static_cast<std::size_t>(rank)], &ranks).finished);
      });
    }
  }
  EXPECT_EQ(text_of(track::Ledger::existing(path("rank0"))), text_of(whole));
  for (const CountingLearner& learner : learners) EXPECT_EQ(learner.learnt, alone.learnt);
  EXPECT_EQ(asked_, 2 * asked);  // nobody asked what another had asked
  for (const auto& [id, times] : judged_) EXPECT_EQ(times, 1) << id;
}

TEST_F(LoopTest, RanksStopTogether) {
  stop_ = true;
  ThreadRanks::Meeting meeting(2);
  std::vector<CountingLearner> learners(2);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < 2; ++rank) {
    threads.emplace_back([&, rank] {
      track::Ledger ledger(path("rank" + std::to_string(rank)));
      ThreadRanks ranks(meeting, rank);
      EXPECT_FALSE(run(ledger, learners[static_cast<std::size_t>(rank)], &ranks).finished);
    });
  }
}

TEST_F(LoopTest, RunsItsRounds) {
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  const RlOutcome outcome = run(ledger, learner);
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.rounds, 3);
  EXPECT_EQ(outcome.result, "final");
  EXPECT_EQ(asked_, 3 * 5);
  EXPECT_EQ(ledger.rounds().size(), 3U);
  EXPECT_FALSE(learner.learnt.empty());
  for (const auto& [id, times] : judged_) EXPECT_EQ(times, 1) << id;
  EXPECT_EQ(metrics_.at(1).at("level2_share"), 0.1);
  EXPECT_DOUBLE_EQ(metrics_.at(3).at("level2_share"), 0.2);  // every round one step
  // equal programs of a task are judged once
  EXPECT_LT(judged_.size(), 3U * 5 * 4);
}

TEST_F(LoopTest, KilledAtEveryAnswerItGoesOnAsIfNothingHadHappened) {
  track::Ledger whole(path("whole.sqlite"));
  CountingLearner undisturbed;
  run(whole, undisturbed);
  for (int moment = 0; moment < 3 * 5 * 4; moment += 7) {
    SCOPED_TRACE(moment);
    const std::string file = path("ledger" + std::to_string(moment));
    CountingLearner learner;
    judged_.clear();
    asks_left_ = moment;
    {
      track::Ledger ledger(file);
      EXPECT_THROW(run(ledger, learner), Killed);
    }
    asks_left_ = -1;
    learner.restart();
    track::Ledger ledger(file);
    EXPECT_TRUE(run(ledger, learner).finished);
    EXPECT_EQ(text_of(ledger), text_of(whole));
    EXPECT_EQ(learner.learnt, undisturbed.learnt);
  }
}

TEST_F(LoopTest, KilledWhileItLearnsOrSavesItTrainsOnceAndJudgesNothingAgain) {
  track::Ledger whole(path("whole.sqlite"));
  CountingLearner undisturbed;
  run(whole, undisturbed);
  for (const bool in_save : {false, true}) {
    SCOPED_TRACE(in_save);
    const std::string file = path(in_save ? "save" : "learn");
    CountingLearner learner;
    judged_.clear();
    (in_save ? learner.dies_in_save : learner.dies_in_learn) = true;
    {
      track::Ledger ledger(file);
      EXPECT_THROW(run(ledger, learner), Killed);
    }
    learner.restart();
    track::Ledger ledger(file);
    EXPECT_TRUE(run(ledger, learner).finished);
    EXPECT_EQ(text_of(ledger), text_of(whole));
    EXPECT_EQ(learner.learnt, undisturbed.learnt);
    for (const auto& [id, times] : judged_) EXPECT_EQ(times, 1) << id;
  }
}

TEST_F(LoopTest, AStopKeepsWhatThereIs) {
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  stop_ = true;
  EXPECT_FALSE(run(ledger, learner).finished);
  stop_ = false;
  EXPECT_TRUE(run(ledger, learner).finished);
}

TEST_F(LoopTest, OfAnotherRunNothingIsTaken) {
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  run(ledger, learner);
  key_ = "{\"a\": 2}";
  CountingLearner other;
  try {
    run(ledger, other);
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("--fresh"), std::string::npos) << error.what();
  }
}

TEST_F(LoopTest, AJudgeOutOfOrderTrainsNobody) {
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  broken_judge_ = true;
  options_.round_tasks = 1;
  options_.samples = 1;
  EXPECT_THROW(run(ledger, learner), base::UserError);
  EXPECT_TRUE(learner.learnt.empty());
  broken_judge_ = false;
  EXPECT_TRUE(run(ledger, learner).finished);  // tried again
}

TEST_F(LoopTest, WhatLeavesNoRoomIsNotAsked) {
  track::Ledger first(path("first.sqlite")), second(path("second.sqlite"));
  CountingLearner learner, other;
  options_.rounds = 1;
  run(first, learner);
  too_long_ = first.tasks(1).front().task.id;
  run(second, other);
  EXPECT_EQ(second.tasks(1).size(), first.tasks(1).size() - 1);
}

TEST_F(LoopTest, OtherPromptsAreAnotherRun) {
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  asks_left_ = 1;
  EXPECT_THROW(run(ledger, learner), Killed);
  asks_left_ = -1;
  too_long_ = ledger.tasks(1).front().task.id;
  EXPECT_THROW(run(ledger, learner), base::UserError);
}

TEST_F(LoopTest, ACheckpointOfAnotherLedgerIsRefused) {
  CountingLearner learner;
  {
    track::Ledger ledger(path("one.sqlite"));
    run(ledger, learner);
  }
  track::Ledger empty(path("two.sqlite"));
  EXPECT_THROW(run(empty, learner), base::UserError);
  track::Ledger full(path("one.sqlite"));
  CountingLearner fresh;  // without a checkpoint
  EXPECT_THROW(run(full, fresh), base::UserError);
  EXPECT_EQ(full.rounds().size(), 3U);
}

TEST_F(LoopTest, WhatOtherWeightsSaidIsNotTrainedOn) {
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  stale_ = -1;
  run(ledger, learner);
  EXPECT_TRUE(learner.learnt.empty());
  bool stale = false;
  for (const auto& each : ledger.decisions(1)) stale |= each.what == "stale";
  EXPECT_TRUE(stale);
}

TEST_F(LoopTest, FurtherAnswersAreAskedForUntilProgramsDiffer) {
  options_.samples = 2;
  options_.distinct = 4;
  options_.most_samples = 12;
  options_.rounds = 1;
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  run(ledger, learner);
  for (std::int64_t place = 0; place < 5; ++place) {
    std::set<std::string> programs;
    double temperature = 0;
    const auto samples = ledger.samples(1, place);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      EXPECT_EQ(samples[i].sample.index, static_cast<int>(i));
      EXPECT_GE(samples[i].temperature, temperature);
      temperature = samples[i].temperature;
      programs.insert(samples[i].program);
    }
    EXPECT_TRUE(programs.size() >= 4 || samples.size() == 12) << samples.size();
  }
}

TEST_F(LoopTest, EarlierWinnersAreReplayed) {
  options_.best_of.replay_rounds = 1;
  options_.rounds = 2;
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  run(ledger, learner);
  std::set<std::string> first;
  std::size_t again = 0;
  for (const std::string& each : learner.learnt) {
    if (each[0] == '1') first.insert(each.substr(2));
    if (each[0] == '2') again += first.contains(each.substr(2)) ? 1 : 0;
  }
  EXPECT_EQ(again, first.size());
}

TEST_F(LoopTest, TheTemperatureFollowsItsSchedule) {
  options_.temperature_end = 0.5;
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  run(ledger, learner);
  EXPECT_DOUBLE_EQ(metrics_.at(1).at("temperature"), 1);
  EXPECT_DOUBLE_EQ(metrics_.at(2).at("temperature"), 0.75);
  EXPECT_DOUBLE_EQ(metrics_.at(3).at("temperature"), 0.5);
}

TEST_F(LoopTest, GrpoReinforcesGroupsThatDiffer) {
  options_.method = Method::kGrpo;
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  run(ledger, learner);
  double sum = 0;
  for (const auto& each : ledger.decisions(1)) {
    if (each.key.place == 0) sum += each.weight;
  }
  EXPECT_NEAR(sum, 0, 1e-9);
  EXPECT_FALSE(learner.learnt.empty());
}

TEST_F(LoopTest, ATaskCanBeExplained) {
  track::Ledger ledger(path("ledger.sqlite"));
  CountingLearner learner;
  run(ledger, learner);
  const std::string task = ledger.tasks(1).front().task.id;
  const std::string text = explain_task(ledger, task);
  EXPECT_NE(text.find("round 1, temperature 1.00"), std::string::npos) << text;
  EXPECT_NE(text.find("answer 3"), std::string::npos);
  EXPECT_NE(text.find("class ModelNew"), std::string::npos);
  try {
    explain_task(ledger, "nothing");
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("task"), std::string::npos);
  }
}

}  // namespace
}  // namespace tritonrl::rl
