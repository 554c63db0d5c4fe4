#include "base/json.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

// An option of this name, however deep; null where there is none.
const base::Json* option_of(const base::Json& options, const std::string& name) {
  if (!options.is_object()) return nullptr;
  if (const base::Json* found = options.find(name)) return found;
  for (const base::Json::Member& member : options.items()) {
    if (const base::Json* found = option_of(member.value, name)) return found;
  }
  return nullptr;
}

}  // namespace

Section curriculum_section(const Material& material) {
  Section section{.id = "curriculum", .title = "Curriculum", .blocks = {}};
  Charts charts;
  bool marked = false;
  for (const Run& run : material.runs) {
    const std::vector<Point>* share = run.find("level2_share");
    if (share == nullptr) continue;
    LineChart chart{.title = material.runs.size() > 1 ? "run " + run.name : "Its path",
                    .x_label = "round",
                    .curves = {{.name = "share of harder tasks", .points = *share}},
                    .percent = true};
    if (const std::vector<Point>* accuracy = run.find("level1_accuracy"))
      chart.curves.push_back({.name = "moving accuracy on level 1", .points = *accuracy});
    const base::Json* trigger =
        run.manifest ? option_of(run.manifest->options, "curriculum_trigger_threshold") : nullptr;
    if (trigger != nullptr && trigger->is_number() && trigger->real() >= 0 && trigger->real() <= 1) {
      chart.mark = trigger->real();
      chart.mark_name = "harder above " + percent_text(trigger->real());
      marked = true;
    }
    charts.charts.emplace_back(std::move(chart));
  }
  if (charts.charts.empty()) return section;
  section.blocks.emplace_back(Paragraph{std::string("Which share of a round's tasks is of level 2 and above, and how "
                                                    "often answers to level 1 are right lately.") +
                                        (marked ? " Above the dashed line the share grows." : "")});
  section.blocks.emplace_back(std::move(charts));
  return section;
}

}  // namespace tritonrl::report
