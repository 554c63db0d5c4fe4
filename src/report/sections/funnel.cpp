#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

BarChart funnel_chart(const std::string& name, const AnswerTally& tally) {
  const AnswerTally::Funnel& funnel = tally.funnel();
  BarChart chart{.title = name, .bars = {}, .whole = static_cast<double>(funnel.judged)};
  const auto add = [&](const char* label, std::int64_t count) {
    chart.bars.push_back(
        {.name = label, .value = static_cast<double>(count), .text = share_text(count, funnel.judged), .good = true});
  };
  add("judged", funnel.judged);
  add("code found", funnel.with_code);
  add("valid, honest", funnel.valid);
  add("compiled", funnel.compiled);
  add("right when tiny", funnel.tiny);
  add("right", funnel.correct);
  if (!tally.speedups().empty()) add("faster", funnel.faster);
  return chart;
}

}  // namespace

Section funnel_section(const Material& material) {
  Section section{.id = "funnel", .title = "How far answers came", .blocks = {}};
  Charts charts;
  std::int64_t unjudged = 0;
  for (const auto& [name, tally] : material.tallies()) {
    unjudged += tally->unjudged();
    if (tally->funnel().judged > 0) charts.charts.emplace_back(funnel_chart(name, *tally));
  }
  if (charts.charts.empty()) return section;
  section.blocks.emplace_back(
      Paragraph{"Each row is part of the one above: answers whose code was found, whose file can be a solution and "
                "does not cheat, "
                "which compiled and ran, are right at the smallest sizes, are right everywhere, and are faster than "
                "the reference. "
                "Of evaluations it is the first answer to each task, of runs every answer."});
  section.blocks.emplace_back(std::move(charts));
  if (unjudged > 0)
    section.blocks.emplace_back(Notice{
        count_text(unjudged) + " answers could not be judged, through no fault of their own. They are not counted."});
  return section;
}

}  // namespace tritonrl::report
