#include "rl/loop.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

#include "base/error.h"
#include "base/hash64.h"
#include "rl/advantages.h"
#include "rl/best_of.h"
#include "rl/shares.h"
#include "rl/summary.h"
#include "rl/together.h"

namespace tritonrl::rl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kOptionsKey = "options";
constexpr const char* kRunKey = "run";
constexpr const char* kElsewhere = "; pass the --checkpoints and --name of one run, or --fresh to begin anew";

std::string fresh_name() {
  std::random_device random;
  char out[17];
  std::snprintf(out, sizeof(out), "%08x%08x", random(), random());
  return out;
}

// The difference of two keys that a person can find.
std::string first_difference(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  while (i < std::min(a.size(), b.size()) && a[i] == b[i]) ++i;
  const std::size_t begin = i < 60 ? 0 : i - 60;
  return "…" + a.substr(begin, 120) + "… and …" + b.substr(begin, 120) + "…";
}

class Loop {
 public:
  Loop(const RlRun& run, Ranks& ranks)
      : run_(run),
        ranks_(ranks),
        curriculum_(run.from ? Curriculum(run.options.curriculum, run.from->curriculum)
                             : Curriculum(run.options.curriculum)),
        draw_(levels(run.pool), run.seed, run.from ? run.from->draws : DrawState()) {
    require_one_run(run.ledger, run.from, run.options_key);
    if (run.from) state_ = *run.from;
    take_ledger();
    state_.options = run.options_key;
  }

  RlOutcome run() {
    while (state_.round < run_.options.rounds) {
      if (!one_round(state_.round + 1)) return {.finished = false, .rounds = state_.round, .result = {}};
    }
    ranks_.from_first(told(RoundCall()));
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

  // The ledger and this run are one from here on.
  void take_ledger() {
    state_.run = run_.ledger.get(kRunKey);
    if (state_.run.empty()) {
      state_.run = fresh_name();
      run_.ledger.set(kRunKey, state_.run);
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
  std::vector<AskedTask> begin(std::int64_t round, double heat, RoundCall& call) {
    std::vector<AskedTask> tasks;
    std::vector<track::DrawnTask> drawn;
    std::int64_t too_long = 0;
    for (const std::size_t i : draw_.draw(run_.options.round_tasks, curriculum_.harder_share())) {
      const PoolTask& task = run_.pool[i];
      std::optional<text::AskedPrompt> prompt = run_.tools.ask(task.task);
      if (!prompt) {
        ++too_long;
        continue;
      }
      drawn.push_back({.task = task.task, .level = task.level, .prompt = prompt->tokens});
      tasks.push_back({.of = task, .prompt = *std::move(prompt)});
      call.tasks.push_back(i);
    }
    if (too_long > 0)
      say("round " + std::to_string(round) + ": " + std::to_string(too_long) +
          " tasks leave the model no room for an answer and are not asked");
    if (tasks.empty())
      throw base::UserError("rl", "no task of round " + std::to_string(round) +
                                      " leaves the model room for an answer; lower --max-new-tokens, raise --longest, "
                                      "or pass shorter tasks");
    if (run_.ledger.round(round)) {
      require_same_questions(round, drawn);
      return tasks;
    }
    track::Numbers plan{{"temperature", heat}};
    if (curriculum_.harder_share()) plan["level2_share"] = *curriculum_.harder_share();
    run_.ledger.begin_round(round, plan, drawn);
    return tasks;
  }

  // What is in the ledger was asked by the same words.
  void require_same_questions(std::int64_t round, const std::vector<track::DrawnTask>& drawn) const {
    const std::vector<track::DrawnTask> asked = run_.ledger.tasks(round);
    bool same = asked.size() == drawn.size();
    for (std::size_t i = 0; same && i < drawn.size(); ++i)
      same = asked[i].task.id == drawn[i].task.id && asked[i].prompt == drawn[i].prompt;
    if (!same)
      throw base::UserError("rl", "round " + std::to_string(round) +
                                      " was begun with other tasks or prompts than this run has now" + kElsewhere);
  }

  // False: stopped.
  bool one_round(std::int64_t round) {
    const Clock::time_point began = Clock::now();
    RoundCall call{.round = round, .temperature = temperature(round)};
    const std::int64_t version = run_.learner.version();
    const std::vector<AskedTask> tasks = begin(round, call.temperature, call);
    for (std::int64_t first = 0; first < static_cast<std::int64_t>(tasks.size()); first += run_.options.tasks_at_once) {
      if (run_.ledger.has_samples(round, first)) call.answered.push_back(first);
    }
    ranks_.from_first(told(call));
    const RoundAnswers answers = answer_together(run_, ranks_, call, tasks);
    for (const auto& [task, problem] : answers.bad_tasks) say("warning: " + task + " cannot be asked: " + problem);
    if (!answers.complete) {
      ranks_.from_first(told(RoundLessons{.stopped = true}));
      return false;
    }
    const std::vector<Group> groups = groups_of(round, tasks, run_.ledger);
    track::Numbers numbers = summary_of(groups);
    require_judged(round, groups, answers.bad_tasks);

    std::vector<track::Decision> decisions = decide(version, groups, round);
    for (const std::string& line : mark_suspects(groups, decisions, static_cast<std::size_t>(run_.options.suspects)))
      say("round " + std::to_string(round) + ", look at this winner: " + line);
    const std::vector<Lesson> lessons = lessons_of(round, groups, decisions);
    if (ranks_.ranks() > 1) ranks_.from_first(told(RoundLessons{.stopped = false, .lessons = lessons}));
    const Clock::time_point learning = Clock::now();
    if (!lessons.empty()) {
      numbers.merge(run_.learner.learn(
          lessons, {.round = round, .rounds = run_.options.rounds, .seed = learning_seed(run_, round)}));
    }
    const Clock::time_point learnt = Clock::now();

    for (const Group& group : groups) {
      for (const JudgedSample& answer : group.answers) {
        if (answer.judged()) curriculum_.observe(group.level, answer.correct());
      }
    }
    const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    numbers["temperature"] = call.temperature;
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

  // A judge that is out of order must not look like a round that went badly. What cannot be judged here at all, and
  // tasks that are at fault themselves, are no reason to stop: another try would change nothing.
  static void require_judged(std::int64_t round, std::span<const Group> groups,
                             const std::map<std::string, std::string>& bad_tasks) {
    bool judged = false, may_be_later = false;
    for (const Group& group : groups) {
      for (const JudgedSample& answer : group.answers) {
        judged |= answer.judged();
        may_be_later |= !answer.verdict && !bad_tasks.contains(group.task);
      }
    }
    if (!judged && may_be_later)
      throw base::UserError("rl", "no answer of round " + std::to_string(round) +
                                      " could be judged, through no fault of theirs; see `tritonrl doctor`. The same "
                                      "command tries them again");
  }

  std::vector<track::Decision> decide(std::int64_t version, std::span<const Group> groups, std::int64_t round) const {
    std::vector<track::Decision> out;
    for (const Group& group : groups) {
      std::vector<track::Decision> some = run_.options.method == Method::kBestOf
                                              ? choose_best(round, group, run_.options.best_of)
                                              : reinforce(round, group, run_.options.advantage);
      for (std::size_t i = 0; i < some.size(); ++i) {
        // what other weights said is theirs to learn from
        if (group.answers[i].sample.sample.adapter_version != version &&
            (some[i].weight != 0 || some[i].plan_weight != 0))
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
  Ranks& ranks_;
  Curriculum curriculum_;
  TaskDraw draw_;
  RlState state_;
};

}  // namespace

void require_one_run(const track::Ledger& ledger, const std::optional<RlState>& from, const std::string& options_key) {
  const auto refuse = [](const std::string& problem) { throw base::UserError("rl", problem + kElsewhere); };
  for (const std::string& other : {ledger.get(kOptionsKey), from ? from->options : std::string()}) {
    if (!other.empty() && other != options_key)
      refuse("this run was begun with other options or data; differs: " + first_difference(other, options_key));
  }
  const std::vector<track::LedgerRound> rounds = ledger.rounds();
  const std::int64_t last = rounds.empty() ? 0 : rounds.back().round;
  if (!from) {
    if (last > 1) refuse("the ledger has " + std::to_string(last) + " rounds, and there is no checkpoint of them");
    return;
  }
  const std::optional<track::LedgerRound> stands = ledger.round(from->round);
  if (from->run != ledger.get(kRunKey) || !stands || !stands->done)
    refuse("the checkpoint of round " + std::to_string(from->round) + " is not of this ledger's run");
}

RlOutcome run_rl(const RlRun& run) {
  check(run.options);
  if (run.pool.empty()) throw base::UserError("rl", "there is no task to train on");
  OneRank alone;
  Ranks& ranks = run.ranks == nullptr ? static_cast<Ranks&>(alone) : *run.ranks;
  return ranks.first() ? Loop(run, ranks).run() : follow_first(run, ranks);
}

}  // namespace tritonrl::rl
