#include "rl/loop.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/error.h"
#include "base/hash64.h"
#include "rl/advantages.h"
#include "rl/best_of.h"
#include "rl/summary.h"

namespace tritonrl::rl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kOptionsKey = "options";

// The difference of two keys that a person can find.
std::string first_difference(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  while (i < std::min(a.size(), b.size()) && a[i] == b[i]) ++i;
  const std::size_t begin = i < 60 ? 0 : i - 60;
  return "…" + a.substr(begin, 120) + "… and …" + b.substr(begin, 120) + "…";
}

class Loop {
 public:
  explicit Loop(const RlRun& run)
      : run_(run),
        curriculum_(run.from ? Curriculum(run.options.curriculum, run.from->curriculum)
                             : Curriculum(run.options.curriculum)),
        draw_(levels(run.pool), run.seed, run.from ? run.from->draws : DrawState()) {
    if (run.from) state_ = *run.from;
    require_same_run();
    state_.options = run.options_key;
  }

  RlOutcome run() {
    while (state_.round < run_.options.rounds) {
      if (!one_round(state_.round + 1)) return {.finished = false, .rounds = state_.round, .result = {}};
    }
    return {.finished = true, .rounds = state_.round, .result = run_.learner.finish()};
  }

 private:
  static std::vector<int> levels(std::span<const PoolTask> pool) {
    std::vector<int> out;
    for (const PoolTask& each : pool) out.push_back(each.level);
    return out;
  }

  void say(const std::string& line) const {
    if (run_.say) run_.say(line);
  }

  void require_same_run() {
    const std::string begun = run_.ledger.get(kOptionsKey);
    for (const std::string& other : {begun, state_.options}) {
      if (!other.empty() && other != run_.options_key)
        throw base::UserError("rl", "this run was begun with other options or data; differs: " +
                                        first_difference(other, run_.options_key) +
                                        "; pass the same, another --name, or --fresh to begin anew");
    }
    run_.ledger.set(kOptionsKey, run_.options_key);
    run_.ledger.forget_after(state_.round + 1);
  }

  double temperature(std::int64_t round) const {
    const double first = run_.tools.sampling.temperature, last = run_.options.temperature_end.value_or(first);
    if (run_.options.rounds < 2) return first;
    return first + (last - first) * static_cast<double>(round - 1) / static_cast<double>(run_.options.rounds - 1);
  }

  // The tasks of a round; it is in the ledger then.
  std::vector<PoolTask> begin(std::int64_t round, double heat) {
    std::vector<PoolTask> tasks;
    std::vector<track::DrawnTask> drawn;
    for (const std::size_t i : draw_.draw(run_.options.round_tasks, curriculum_.harder_share())) {
      tasks.push_back(run_.pool[i]);
      drawn.push_back({.task = run_.pool[i].task, .level = run_.pool[i].level, .prompt = run_.pool[i].prompt});
    }
    if (run_.ledger.round(round)) return tasks;
    track::Numbers plan{{"temperature", heat}};
    if (curriculum_.harder_share()) plan["level2_share"] = *curriculum_.harder_share();
    run_.ledger.begin_round(round, plan, drawn);
    return tasks;
  }

  // False: stopped.
  bool one_round(std::int64_t round) {
    const Clock::time_point began = Clock::now();
    const RoundPlan plan{
        .round = round, .temperature = temperature(round), .seed = run_.seed, .version = run_.learner.version()};
    const std::vector<PoolTask> tasks = begin(round, plan.temperature);
    const RoundAnswers answers = collect_answers(plan, tasks, run_.options, run_.tools, run_.ledger);
    for (const auto& [task, problem] : answers.bad_tasks) say("warning: " + task + " cannot be asked: " + problem);
    if (!answers.complete) return false;
    track::Numbers numbers = summary_of(answers.groups);
    require_judged(round, numbers);

    std::vector<track::Decision> decisions = decide(plan, answers.groups);
    for (const std::string& line :
         mark_suspects(answers.groups, decisions, static_cast<std::size_t>(run_.options.suspects)))
      say("round " + std::to_string(round) + ", look at this winner: " + line);
    const std::vector<Lesson> lessons = lessons_of(round, answers.groups, decisions);
    const Clock::time_point learning = Clock::now();
    if (!lessons.empty()) {
      numbers.merge(run_.learner.learn(
          lessons, {.round = round,
                    .rounds = run_.options.rounds,
                    .seed = base::mix64(run_.seed ^ base::mix64(static_cast<std::uint64_t>(round)))}));
    }
    const Clock::time_point learnt = Clock::now();

    for (const Group& group : answers.groups) {
      for (const JudgedSample& answer : group.answers) {
        if (answer.judged()) curriculum_.observe(group.level, answer.correct());
      }
    }
    const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    numbers["temperature"] = plan.temperature;
    numbers["trained_answers"] = static_cast<double>(lessons.size());
    for (const track::Decision& each : decisions) ++numbers["decision/" + each.what];
    numbers["suspicious"] = static_cast<double>(
        std::count_if(decisions.begin(), decisions.end(), [](const track::Decision& each) { return each.suspicious; }));
    numbers["seconds_generate"] = answers.generate_seconds;
    numbers["seconds_judge"] = answers.wait_seconds;
    numbers["seconds_train"] = seconds(learnt - learning);
    if (curriculum_.harder_share()) numbers["level2_share"] = *curriculum_.harder_share();
    if (curriculum_.accuracy()) numbers["level1_accuracy"] = *curriculum_.accuracy();
    curriculum_.end_round();
    state_.round = round;
    state_.version = run_.learner.version();
    state_.curriculum = curriculum_.state();
    state_.draws = draw_.state();
    state_.seconds += seconds(learnt - began);
    numbers["seconds"] = state_.seconds;
    if (run_.metrics) run_.metrics(round, numbers);
    run_.ledger.finish_round(round, numbers, decisions);
    run_.learner.save(round, base::to_json(state_).dump(2) + "\n");
    tell(round, numbers);
    return true;
  }

  // A judge that is out of order must not look like a round that went badly.
  void require_judged(std::int64_t round, const track::Numbers& numbers) const {
    if (numbers.contains("reward_mean")) return;
    throw base::UserError("rl", "no answer of round " + std::to_string(round) +
                                    " could be judged, through no fault of theirs; see `tritonrl doctor`. The same "
                                    "command tries them again");
  }

  std::vector<track::Decision> decide(const RoundPlan& plan, std::span<const Group> groups) const {
    std::vector<track::Decision> out;
    for (const Group& group : groups) {
      std::vector<track::Decision> some = run_.options.method == Method::kBestOf
                                              ? choose_best(plan.round, group, run_.options.best_of)
                                              : reinforce(plan.round, group, run_.options.advantage);
      for (std::size_t i = 0; i < some.size(); ++i) {
        // what other weights said is theirs to learn from
        if (group.answers[i].sample.sample.adapter_version != plan.version && some[i].weight != 0)
          some[i] = {.key = some[i].key, .what = "stale", .why = {}};
        out.push_back(std::move(some[i]));
      }
    }
    return out;
  }

  std::vector<Lesson> lessons_of(std::int64_t round, std::span<const Group> groups,
                                 const std::vector<track::Decision>& decisions) const {
    std::vector<Lesson> out;
    std::vector<const track::Decision*> of;
    auto decision = decisions.begin();
    std::int64_t tokens = 0;
    for (const Group& group : groups) {
      for (const JudgedSample& answer : group.answers) {
        const track::Decision& what = *decision++;
        if (what.weight == 0 && what.plan_weight == 0) continue;
        out.push_back({.sample = answer.sample.sample, .weights = {}});
        of.push_back(&what);
        tokens += answer.length();
      }
    }
    const auto answers = static_cast<std::int64_t>(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto length = static_cast<std::int64_t>(out[i].sample.tokens.size());
      if (run_.options.method == Method::kBestOf) {
        out[i].weights.assign(static_cast<std::size_t>(length), 1);
        continue;
      }
      const bool apart = run_.options.advantage.reward == RewardKind::kPlanCode && run_.plan_tokens;
      const AnswerSize size{.tokens = length,
                            .plan_tokens = apart ? std::min(length, run_.plan_tokens(out[i].sample)) : 0};
      out[i].weights =
          token_weights(*of[i], size, run_.options.advantage, answers, tokens, run_.tools.sampling.max_new_tokens);
    }
    if (run_.options.method == Method::kBestOf) add_earlier_winners(round, out);
    return out;
  }

  void add_earlier_winners(std::int64_t round, std::vector<Lesson>& out) const {
    for (std::int64_t earlier = std::max<std::int64_t>(1, round - run_.options.best_of.replay_rounds); earlier < round;
         ++earlier) {
      for (const track::Decision& decision : run_.ledger.decisions(earlier)) {
        if (decision.what != "kept") continue;
        for (track::LedgerSample& each : run_.ledger.samples(earlier, decision.key.place)) {
          if (each.sample.index != decision.key.index) continue;
          const std::size_t length = each.sample.tokens.size();
          out.push_back({.sample = std::move(each.sample), .weights = std::vector<float>(length, 1)});
        }
      }
    }
  }

  void tell(std::int64_t round, const track::Numbers& numbers) const {
    const auto number = [&](const char* name) {
      const auto found = numbers.find(name);
      return found == numbers.end() ? 0.0 : found->second;
    };
    char line[256];
    std::snprintf(line, sizeof(line),
                  "round %lld of %lld: reward %.3f, correct %.1f %%, %.0f answers trained on, %.1f distinct programs a "
                  "task; %.0f s answers, %.0f s more for verdicts, %.0f s training",
                  static_cast<long long>(round), static_cast<long long>(run_.options.rounds), number("reward_mean"),
                  100 * number("correct_rate"), number("trained_answers"), number("distinct_programs"),
                  number("seconds_generate"), number("seconds_judge"), number("seconds_train"));
    say(line);
  }

  const RlRun& run_;
  Curriculum curriculum_;
  TaskDraw draw_;
  RlState state_;
};

}  // namespace

RlOutcome run_rl(const RlRun& run) {
  check(run.options);
  if (run.pool.empty()) throw base::UserError("rl", "there is no task to train on");
  return Loop(run).run();
}

}  // namespace tritonrl::rl
