#include <algorithm>

#include "record/evaluation.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

std::int64_t steps_of(const Run& run) {
  double last = 0;
  for (const Curve& curve : run.metrics) {
    if (!curve.points.empty()) last = std::max(last, curve.points.back().first);
  }
  return static_cast<std::int64_t>(last);
}

// Of one run all that counts, of several one figure each: the table has the rest.
void add_highlights(Highlights& out, const Run& run, bool alone) {
  const std::string of = "run " + run.name;
  const std::size_t before = out.items.size();
  const auto done = [&] { return !alone && out.items.size() > before; };
  if (const auto rate = run.late("correct_rate"))
    out.items.push_back({percent_text(*rate), "of answers right at the end", of});
  const auto reward = run.late("reward_mean"), loss = run.late("loss");
  if (reward && !done()) out.items.push_back({fixed_text(*reward, 3), "mean reward at the end", of});
  if (loss && !reward && !done()) out.items.push_back({fixed_text(*loss, 3), "loss at the end", of});
  const auto time = time_of(run);
  if (time && !done()) out.items.push_back({duration_text(time->seconds), "of work", of});
}

void add_highlights(Highlights& out, const Evaluation& evaluation, bool alone) {
  const base::Json& metrics = evaluation.metrics();
  const std::string of = "evaluation " + evaluation.name;
  const auto tasks = Evaluation::number(metrics, "num_tasks");
  if (const auto rate = Evaluation::number(metrics, "correct_rate"))
    out.items.push_back({percent_text(*rate), "of " + (tasks ? fixed_text(*tasks, 0) + " " : "") + "tasks solved", of});
  const auto speed = Evaluation::number(metrics, "geometric_mean_speedup");
  if (speed && alone)
    out.items.push_back({fixed_text(*speed, 2) + "×", "speed-up of right answers, geometric mean",
                         of + ", " + evaluation.file.at("timing").text()});
}

Table runs_table(const Material& material) {
  Table table{.head = {"run", "stage", "steps", "loss", "reward", "answers right", "time"}, .rows = {}, .words = 2};
  for (const Run& run : material.runs) {
    const auto time = time_of(run);
    table.rows.push_back({run.name, run.stage.empty() ? "-" : run.stage, count_text(steps_of(run)),
                          or_dash(run.late("loss"), short_text), or_dash(run.late("reward_mean"), short_text),
                          or_dash(run.late("correct_rate"), percent_text), time ? duration_text(time->seconds) : "-"});
  }
  table.note = "Loss, reward and right answers are means of the last tenth of the steps.";
  return table;
}

}  // namespace

Section summary_section(const Material& material) {
  Section section{.id = "summary", .title = "Summary", .blocks = {}};
  Highlights highlights;
  for (const Evaluation& evaluation : material.evaluations)
    add_highlights(highlights, evaluation, material.evaluations.size() == 1);
  for (const Run& run : material.runs) add_highlights(highlights, run, material.runs.size() == 1);
  // more than two rows of large print are none
  if (highlights.items.size() > 8) highlights.items.resize(8);
  if (!highlights.items.empty()) section.blocks.emplace_back(std::move(highlights));
  if (!material.runs.empty()) section.blocks.emplace_back(runs_table(material));
  for (const Run& run : material.runs) {
    if (run.manifest && run.manifest->finished.empty())
      section.blocks.emplace_back(Notice{"Run " + run.name + " is not finished: it was stopped, or goes on."});
    if (!run.manifest)
      section.blocks.emplace_back(Notice{"Run " + run.name + " has no manifest.json: its options are not known."});
  }
  for (const Evaluation& evaluation : material.evaluations) {
    const base::Json* open = evaluation.metrics().find("not_judged");
    if (open != nullptr && open->is_number_integer() && open->integer() > 0)
      section.blocks.emplace_back(Notice{"Evaluation " + evaluation.name + ": " + std::to_string(open->integer()) +
                                         " tasks could not be judged. They are in no rate."});
  }
  return section;
}

}  // namespace tritonrl::report
