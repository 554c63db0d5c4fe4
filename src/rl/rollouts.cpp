#include "rl/rollouts.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "base/hash64.h"
#include "generate/draws.h"
#include "rl/judging.h"
#include "text/code_hash.h"

namespace tritonrl::rl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kWarmer = 1.25;  // factor of the temperature for each further try at different programs

double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

judge::Submission submission_of(const record::Task& task, const std::string& answer) {
  judge::Submission out;
  out.task = task;
  out.take_answer(answer);
  return out;
}

// Answers to a few tasks, made together.
class Chunk {
 public:
  Chunk(const RoundPlan& plan, std::span<const PoolTask> tasks, std::int64_t first, const RlOptions& options,
        const RolloutTools& tools)
      : plan_(plan), tasks_(tasks), first_(first), options_(options), tools_(tools), answers_(tasks.size()) {}

  // False: stopped; nothing of it counts.
  bool make() {
    for (int wave = 0; wave == 0 || options_.distinct > 0; ++wave) {
      std::vector<std::size_t> lacking;
      for (std::size_t i = 0; i < tasks_.size(); ++i) {
        if (lacks(i)) lacking.push_back(i);
      }
      if (lacking.empty()) return true;
      if (!ask(lacking, wave)) return false;
    }
    return true;
  }

  void keep(track::Ledger& ledger) const { ledger.add_samples(plan_.round, first_, answers_); }

 private:
  bool lacks(std::size_t i) const {
    if (answers_[i].empty()) return true;
    std::set<std::string> programs;
    for (const track::LedgerSample& each : answers_[i]) programs.insert(each.program);
    return static_cast<int>(programs.size()) < options_.distinct &&
           static_cast<int>(answers_[i].size()) < options_.most_samples;
  }

  bool ask(const std::vector<std::size_t>& lacking, int wave) {
    double temperature = plan_.temperature;
    for (int i = 0; i < wave; ++i) temperature *= kWarmer;
    std::vector<generate::GenerateRequest> requests;
    for (const std::size_t i : lacking) {
      const auto place = static_cast<std::uint64_t>(first_) + i;
      generate::GenerateRequest& request = requests.emplace_back();
      request.id = std::to_string(i);
      request.prompt = tasks_[i].prompt;
      const int room = options_.most_samples - static_cast<int>(answers_[i].size());
      request.samples = wave == 0 ? options_.samples : std::min(options_.samples, room);
      request.seed =
          base::mix64(plan_.seed ^ base::mix64(place ^ base::mix64(static_cast<std::uint64_t>(plan_.round) +
                                                                   (static_cast<std::uint64_t>(wave) << 48))));
      request.sampling = tools_.sampling;
      request.sampling.temperature = temperature;
      request.sampling.stop_tokens = tasks_[i].stop_tokens;
    }
    generate::GenerateEvents events;
    events.cancelled = tools_.stopped;
    for (record::Sample& sample : tools_.generator.generate(requests, events)) {
      if (sample.finish == record::FinishReason::kCancelled) return false;
      const std::size_t of = std::stoull(sample.id);
      take(of, std::move(sample), temperature);
    }
    return true;
  }

  void take(std::size_t i, record::Sample sample, double temperature) {
    track::LedgerSample& kept = answers_[i].emplace_back();
    sample.id = tasks_[i].task.id;
    sample.index = static_cast<int>(answers_[i].size()) - 1;
    kept.answer = tools_.restore ? tools_.restore(tasks_[i].task, sample.text) : sample.text;
    kept.program = text::code_hash(submission_of(tasks_[i].task, kept.answer).code);
    kept.temperature = temperature;
    kept.sample = std::move(sample);
  }

  const RoundPlan& plan_;
  const std::span<const PoolTask> tasks_;
  const std::int64_t first_;
  const RlOptions& options_;
  const RolloutTools& tools_;
  std::vector<std::vector<track::LedgerSample>> answers_;
};

// Hands over what has no verdict yet.
void judge_answers(const PoolTask& task, const track::SampleKey& at, track::Ledger& ledger, LedgerJudging& judging) {
  const std::map<std::int64_t, record::Verdict> known = ledger.verdicts(at.round, at.place);
  std::map<std::string, std::vector<track::SampleKey>> by_program;
  std::map<std::string, judge::Submission> submissions;
  std::vector<std::string> order;
  for (const track::LedgerSample& each : ledger.samples(at.round, at.place)) {
    const track::SampleKey key{at.round, at.place, each.sample.index};
    if (known.contains(key.index)) continue;
    // answers without code differ in why there is none
    const std::string program = each.program.empty() ? "answer " + std::to_string(key.index) : each.program;
    std::vector<track::SampleKey>& same = by_program[program];
    if (same.empty()) {
      order.push_back(program);
      submissions[program] = submission_of(task.task, each.answer);
    }
    same.push_back(key);
  }
  for (const std::string& program : order) judging.add(std::move(submissions[program]), std::move(by_program[program]));
}

}  // namespace

RoundAnswers collect_answers(const RoundPlan& plan, std::span<const PoolTask> tasks, const RlOptions& options,
                             const RolloutTools& tools, track::Ledger& ledger) {
  RoundAnswers out;
  LedgerJudging judging(tools.judge, options.workers, ledger, tools.judged);
  const auto count = static_cast<std::int64_t>(tasks.size());
  const Clock::time_point began = Clock::now();
  for (std::int64_t first = 0; first < count; first += options.tasks_at_once) {
    if (tools.stopped && tools.stopped()) return out;
    const std::int64_t size = std::min(options.tasks_at_once, count - first);
    const std::span<const PoolTask> some =
        tasks.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size));
    if (!ledger.has_samples(plan.round, first)) {  // those that are answered together are kept together
      Chunk chunk(plan, some, first, options, tools);
      if (!chunk.make()) return out;
      chunk.keep(ledger);
    }
    for (std::int64_t i = 0; i < size; ++i)
      judge_answers(some[static_cast<std::size_t>(i)], {plan.round, first + i, 0}, ledger, judging);
  }
  out.generate_seconds = seconds_since(began);
  out.complete = judging.finish(tools.stopped);
  out.wait_seconds = seconds_since(began) - out.generate_seconds;
  out.bad_tasks = judging.bad_tasks();
  if (!out.complete) return out;
  for (std::int64_t place = 0; place < count; ++place) {
    const PoolTask& task = tasks[static_cast<std::size_t>(place)];
    Group& group =
        out.groups.emplace_back(Group{.place = place, .task = task.task.id, .level = task.level, .answers = {}});
    std::map<std::int64_t, record::Verdict> verdicts = ledger.verdicts(plan.round, place);
    for (track::LedgerSample& each : ledger.samples(plan.round, place)) {
      const auto verdict = verdicts.find(each.sample.index);
      JudgedSample& answer = group.answers.emplace_back();
      answer.sample = std::move(each);
      if (verdict != verdicts.end()) answer.verdict = std::move(verdict->second);
    }
  }
  return out;
}

}  // namespace tritonrl::rl
