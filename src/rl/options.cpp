#include "rl/options.h"

#include "base/error.h"

namespace tritonrl::rl {

std::span<const char* const> enum_names(Method) {
  static constexpr const char* kNames[] = {"best_of", "grpo"};
  return kNames;
}

void RlOptions::fields(base::FieldVisitor& field) {
  field("method", method,
        {.help = "best_of: the best of each task's answers are imitated; grpo: all are reinforced by how much better "
                 "than the others they are"});
  field("rounds", rounds, {.help = "of tasks, answers, verdicts and training", .least = 1});
  field("round_tasks", round_tasks, {.help = "tasks asked in a round", .least = 1});
  field("samples", samples, {.help = "answers to each task", .least = 1, .most = 100'000});
  field("tasks_at_once", tasks_at_once,
        {.help = "tasks answered together; their answers are judged while the next are answered", .least = 1});
  field("temperature_end", temperature_end,
        {.help = "temperature of the last round, reached evenly (default: that of the first)", .least = 0});
  field("distinct", distinct,
        {.help = "different programs wanted of each task: further answers, warmer each time, until they are there (0: "
                 "whatever comes)",
         .least = 0});
  field("most_samples", most_samples, {.help = "answers to a task at most, with --distinct", .least = 1});
  best_of.fields(field);
  advantage.fields(field);
  curriculum.fields(field);
  field("workers", workers,
        {.help = "candidates judged at once (0: two a core)", .least = 0, .most = 4096, .keyed = false});
  field("suspects", suspects,
        {.help = "winners of a round that look odd and are listed for a person to read, at most",
         .least = 0,
         .keyed = false});
}

void check(const RlOptions& options) {
  const auto refuse = [](const std::string& message) { throw base::UserError("rl", message); };
  if (options.method == Method::kGrpo && options.samples < 2)
    refuse("--method grpo compares the answers to a task: --samples must be at least 2");
  if (options.distinct > 0 && options.most_samples < options.samples)
    refuse("--most-samples " + std::to_string(options.most_samples) + " is less than --samples " +
           std::to_string(options.samples) + "; raise it, or leave out --distinct");
}

}  // namespace tritonrl::rl
