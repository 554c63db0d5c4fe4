#include "base/json.h"
#include "report/own_file.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

std::string dollars(double value) {
  return "$" + fixed_text(value, value < 100 ? 2 : 0);
}

}  // namespace

Section cost_section(const Material& material) {
  Section section{.id = "cost", .title = "Cost", .blocks = {}};
  const int gpus = material.options.gpus;
  Table hours{.head = {"run", "time is", "time", "GPU-hours"}, .rows = {}, .words = 2};
  double all = 0;
  for (const Run& run : material.runs) {
    const auto time = time_of(run);
    if (!time) continue;
    const double own = time->seconds / 3600 * gpus;
    all += own;
    hours.rows.push_back({run.name, time->source, duration_text(time->seconds), fixed_text(own, 3)});
  }
  if (hours.rows.empty()) return section;
  if (hours.rows.size() > 1) hours.rows.push_back({"all", "", "", fixed_text(all, 3)});
  hours.note = "Counted with " + std::to_string(gpus) + (gpus == 1 ? " GPU a run" : " GPUs a run") + " (--gpus).";
  section.blocks.emplace_back(std::move(hours));

  if (material.options.price > 0) {
    section.blocks.emplace_back(Paragraph{"At " + dollars(material.options.price) +
                                          " a GPU and hour: " + dollars(all * material.options.price) + "."});
    return section;
  }
  const base::Json prices = base::Json::parse(own_file("material/prices.json"));
  Table table{
      .head = {"instance", "GPU", "on demand, an hour", "spot, an hour", "on demand", "spot"}, .rows = {}, .words = 2};
  for (const base::Json& instance : prices.at("instances")) {
    const double on_demand = instance.at("on_demand").real(), spot = instance.at("spot").real();
    table.rows.push_back({instance.at("name").text(), instance.at("gpu").text(), dollars(on_demand), dollars(spot),
                          dollars(all * on_demand), dollars(all * spot)});
  }
  table.note = prices.at("as_of").text() + ", " + prices.at("note").text() +
               ". GPUs differ in speed: the same work takes other hours on each.";
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace tritonrl::report
