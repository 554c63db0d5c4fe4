#include "rl/together.h"

#include "base/check.h"
#include "base/hash64.h"

namespace tritonrl::rl {

std::uint64_t learning_seed(const RlRun& run, std::int64_t round) {
  return base::mix64(run.seed ^ base::mix64(static_cast<std::uint64_t>(round)));
}

RoundAnswers answer_together(const RlRun& run, Ranks& ranks, const RoundCall& call, std::span<const AskedTask> tasks) {
  const RoundPlan plan{
      .round = call.round, .temperature = call.temperature, .seed = run.seed, .version = run.learner.version()};
  const std::int64_t together = run.options.tasks_at_once;
  std::vector<std::int64_t> firsts = ranks.first() ? call.answered : std::vector<std::int64_t>();
  for (const std::int64_t first : share_of(call, together, ranks.rank(), ranks.ranks())) firsts.push_back(first);
  RoundAnswers answers = collect_answers(plan, tasks, firsts, run.options, run.tools, run.ledger);
  RoundShare mine;
  if (!ranks.first() && answers.complete)
    mine = share_from(run.ledger, call.round, firsts, together, static_cast<std::int64_t>(tasks.size()));
  mine.complete = answers.complete;
  mine.bad_tasks = answers.bad_tasks;
  const std::vector<std::string> shares = ranks.all(ranks.first() ? "" : told(mine));
  for (int rank = 1; ranks.first() && rank < ranks.ranks(); ++rank) {
    const auto share = heard<RoundShare>(shares[static_cast<std::size_t>(rank)]);
    answers.complete = answers.complete && share.complete;
    answers.bad_tasks.insert(share.bad_tasks.begin(), share.bad_tasks.end());
    if (share.complete)
      put_share(share, call.round, share_of(call, together, rank, ranks.ranks()), together, run.ledger);
  }
  return answers;
}

RlOutcome follow_first(const RlRun& run, Ranks& ranks) {
  for (;;) {
    const auto call = heard<RoundCall>(ranks.from_first(""));
    if (call.round == 0) return {.finished = true, .rounds = 0, .result = run.learner.finish()};
    std::vector<AskedTask> tasks;
    std::vector<track::DrawnTask> drawn;
    for (const std::size_t number : call.tasks) {
      const PoolTask& task = run.pool[number];
      std::optional<text::AskedPrompt> prompt = run.tools.ask(task.task);
      TRL_CHECK(prompt.has_value(), "ranks ask the same tasks");
      drawn.push_back({.task = task.task, .level = task.level, .prompt = prompt->tokens});
      tasks.push_back({.of = task, .prompt = *std::move(prompt)});
    }
    run.ledger.forget_after(0);
    run.ledger.begin_round(call.round, {}, drawn);
    answer_together(run, ranks, call, tasks);
    const auto lessons = heard<RoundLessons>(ranks.from_first(""));
    if (lessons.stopped) return {.finished = false, .rounds = call.round - 1, .result = {}};
    if (!lessons.lessons.empty())
      run.learner.learn(lessons.lessons,
                        {.round = call.round, .rounds = run.options.rounds, .seed = learning_seed(run, call.round)});
    run.learner.save(call.round, "");
  }
}

}  // namespace tritonrl::rl
