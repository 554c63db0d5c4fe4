#include <algorithm>

#include "base/statistics.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

std::string timing_text(const AnswerTally& tally) {
  return tally.measured() && tally.modelled() ? "measured and modelled" : tally.measured() ? "measured" : "modelled";
}

}  // namespace

Section speedups_section(const Material& material) {
  Section section{.id = "speed-ups", .title = "Speed-ups of right answers", .blocks = {}};
  Charts charts;
  Table table{
      .head = {"of", "times", "timed", "geometric mean", "median", "largest", "above 1", "above 1.2", "above 2"},
      .rows = {},
      .words = 2};
  bool mixed = false;
  for (const auto& [name, tally] : material.tallies()) {
    const std::vector<double>& values = tally->speedups();
    if (values.empty()) continue;
    mixed = mixed || (tally->measured() && tally->modelled());
    const auto above = [&](double factor) {
      return share_text(std::count_if(values.begin(), values.end(), [&](double value) { return value > factor; }),
                        static_cast<std::int64_t>(values.size()));
    };
    table.rows.push_back({name, timing_text(*tally), count_text(static_cast<std::int64_t>(values.size())),
                          fixed_text(base::geometric_mean(values), 2), fixed_text(base::median(values), 2),
                          fixed_text(*std::max_element(values.begin(), values.end()), 2), above(1), above(1.2),
                          above(2)});
    charts.charts.emplace_back(RatioHistogram{
        .title = name, .x_label = "speed-up over the reference, " + timing_text(*tally), .values = values});
  }
  if (table.rows.empty()) return section;
  table.note =
      "Over the reference as PyTorch runs it. Modelled times come from what the machine counts, measured ones from a "
      "GPU.";
  section.blocks.emplace_back(std::move(charts));
  section.blocks.emplace_back(std::move(table));
  if (mixed)
    section.blocks.emplace_back(
        Notice{"Measured and modelled times are in one row: take them apart before you compare."});
  return section;
}

}  // namespace tritonrl::report
