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
constexpr double kWarmest = 2;    // and how far that goes

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
  Chunk(const RoundPlan& plan, std::span<const AskedTask> tasks, std::int64_t first, const RlOptions& options,
        const RolloutTools& tools)
      : plan_(plan), tasks_(tasks), first_(first), options_(options), tools_(tools), answers_(tasks.size()) {}

  // False: stopped; nothing of it counts.
  bool make() {
    // at temperature 0 every try would be the same
    const bool may_differ = options_.distinct > 0 && plan_.temperature > 0;
    for (int wave = 0; wave == 0 || may_differ; ++wave) {
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
    for (const track::LedgerSample& each : answers_[i]) {
      if (!each.program.empty()) programs.insert(each.program);
    }
    return static_cast<int>(programs.size()) < options_.distinct &&
           static_cast<int>(answers_[i].size()) < options_.most_samples;
  }

  bool ask(const std::vector<std::size_t>& lacking, int wave) {
    double temperature = plan_.temperature;
    for (int i = 0; i < wave; ++i) temperature = std::max(temperature, std::min(kWarmest, temperature * kWarmer));
    std::vector<generate::GenerateRequest> requests;
    for (const std::size_t i : lacking) {
      const auto place = static_cast<std::uint64_t>(first_) + i;
      generate::GenerateRequest& request = requests.emplace_back();
      request.id = std::to_string(i);
      request.prompt = tasks_[i].prompt.tokens;
      const int room = options_.most_samples - static_cast<int>(answers_[i].size());
      request.samples = wave == 0 ? options_.samples : std::min(options_.samples, room);
      request.seed =
          base::mix64(plan_.seed ^ base::mix64(place ^ base::mix64(static_cast<std::uint64_t>(plan_.round) +
                                                                   (static_cast<std::uint64_t>(wave) << 48))));
      request.sampling = tools_.sampling;
      request.sampling.temperature = temperature;
      request.sampling.stop_tokens = tasks_[i].prompt.stop_tokens;
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
    const record::Task& task = tasks_[i].of.task;
    sample.id = task.id;
    sample.index = static_cast<int>(answers_[i].size()) - 1;
    kept.answer = tools_.restore ? tools_.restore(task, sample.text) : sample.text;
    kept.program = text::code_hash(submission_of(task, kept.answer).code);
    kept.temperature = temperature;
    kept.sample = std::move(sample);
  }

  const RoundPlan& plan_;
  const std::span<const AskedTask> tasks_;
  const std::int64_t first_;
  const RlOptions& options_;
  const RolloutTools& tools_;
  std::vector<std::vector<track::LedgerSample>> answers_;
};

// Hands over what has no verdict yet; answers with the same code to the letter are judged once.
void judge_answers(const record::Task& task, const track::SampleKey& at, track::Ledger& ledger,
                   LedgerJudging& judging) {
  const std::map<std::int64_t, record::Verdict> known = ledger.verdicts(at.round, at.place);
  struct Same {
    judge::Submission submission;
    std::vector<track::SampleKey> answers;
  };
  std::vector<Same> programs;
  std::map<std::string, std::size_t> by_code;
  for (const track::LedgerSample& each : ledger.samples(at.round, at.place)) {
    const track::SampleKey key{at.round, at.place, each.sample.index};
    if (known.contains(key.index)) continue;
    judge::Submission submission = submission_of(task, each.answer);
    // answers without code differ in why there is none
    const std::string code = submission.code.empty() ? "answer " + std::to_string(key.index) : submission.code;
    const auto [place, fresh] = by_code.emplace(code, programs.size());
    if (fresh) programs.push_back({.submission = std::move(submission), .answers = {}});
    programs[place->second].answers.push_back(key);
  }
  for (Same& each : programs) judging.add(std::move(each.submission), std::move(each.answers));
}

}  // namespace

RoundAnswers collect_answers(const RoundPlan& plan, std::span<const AskedTask> tasks,
                             std::span<const std::int64_t> firsts, const RlOptions& options, const RolloutTools& tools,
                             track::Ledger& ledger) {
  RoundAnswers out;
  const auto count = static_cast<std::int64_t>(tasks.size());
  // as many may wait as are answered together: the generator does not wait for the judge but for more than that
  const auto queue = static_cast<int>(options.tasks_at_once *
                                      std::max(options.samples, options.distinct > 0 ? options.most_samples : 0));
  LedgerJudging judging(tools.judge, options.workers, queue, ledger, tools.judged);
  const auto size_of = [&](std::int64_t first) { return std::min(options.tasks_at_once, count - first); };
  const auto hand_over = [&](std::int64_t first) {
    for (std::int64_t place = first; place < first + size_of(first); ++place)
      judge_answers(tasks[static_cast<std::size_t>(place)].of.task, {plan.round, place, 0}, ledger, judging);
  };
  for (const std::int64_t first : firsts) {
    if (tools.stopped && tools.stopped()) return out;
    if (!ledger.has_samples(plan.round, first)) {  // those that are answered together are kept together
      const Clock::time_point began = Clock::now();
      Chunk chunk(plan, tasks.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size_of(first))), first,
                  options, tools);
      if (!chunk.make()) return out;
      chunk.keep(ledger);
      out.generate_seconds += seconds_since(began);
    }
    if (options.overlap) hand_over(first);
  }
  if (!options.overlap) std::ranges::for_each(firsts, hand_over);
  const Clock::time_point waiting = Clock::now();
  out.complete = judging.finish(tools.stopped);
  out.wait_seconds = seconds_since(waiting);
  out.bad_tasks = judging.bad_tasks();
  return out;
}

std::vector<Group> groups_of(std::int64_t round, std::span<const AskedTask> tasks, const track::Ledger& ledger) {
  std::vector<Group> out;
  for (std::int64_t place = 0; place < static_cast<std::int64_t>(tasks.size()); ++place) {
    const PoolTask& task = tasks[static_cast<std::size_t>(place)].of;
    Group& group = out.emplace_back(Group{.place = place, .task = task.task.id, .level = task.level, .answers = {}});
    std::map<std::int64_t, record::Verdict> verdicts = ledger.verdicts(round, place);
    for (track::LedgerSample& each : ledger.samples(round, place)) {
      const auto verdict = verdicts.find(each.sample.index);
      JudgedSample& answer = group.answers.emplace_back();
      answer.sample = std::move(each);
      if (verdict != verdicts.end()) answer.verdict = std::move(verdict->second);
    }
  }
  return out;
}

}  // namespace tritonrl::rl
