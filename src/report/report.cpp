#include "report/report.h"

#include <map>
#include <set>

#include "base/error.h"
#include "base/fields.h"
#include "report/material/material.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

// Names tell the parts of a report apart: where two are the same, all but the first get a number.
template <class Part>
void make_names_differ(std::vector<Part>& parts) {
  std::set<std::string> taken;
  for (Part& part : parts) {
    const std::string name = part.name;
    for (int number = 2; !taken.insert(part.name).second; ++number)
      part.name = name + " (" + std::to_string(number) + ")";
  }
}

std::string subtitle_of(const Material& material) {
  const auto counted = [](std::size_t count, const std::string& name) {
    return std::to_string(count) + " " + name + (count == 1 ? "" : "s");
  };
  std::string out;
  if (!material.runs.empty()) out = counted(material.runs.size(), "run");
  if (!material.evaluations.empty())
    out += (out.empty() ? "" : " and ") + counted(material.evaluations.size(), "evaluation");
  return "Made by tritonrl report of " + out + ".";
}

}  // namespace

void ReportOptions::fields(base::FieldVisitor& field) {
  field("title", title, {.help = "of the report (default: the names of its runs)"});
  field("gpus", gpus, {.help = "GPUs that each run had, for its cost", .least = 1, .most = 100'000});
  field("price", price,
        {.help = "US dollars for a GPU and an hour (0: a table of what is common)", .least = 0, .most = 1'000'000});
}

Document make_report(const ReportOptions& options) {
  if (options.runs.empty() && options.evaluations.empty())
    throw base::UserError("report",
                          "there is nothing to report: name folders of runs, as runs/sft, or files of "
                          "`tritonrl eval` with --eval");
  Material material{.options = options, .runs = {}, .evaluations = {}};
  for (const std::filesystem::path& folder : options.runs) material.runs.push_back(read_run(folder));
  for (const std::filesystem::path& file : options.evaluations) material.evaluations.push_back(read_evaluation(file));
  make_names_differ(material.runs);
  make_names_differ(material.evaluations);

  Document document{.title = options.title, .subtitle = subtitle_of(material), .sections = {}};
  if (document.title.empty()) {
    for (const Run& run : material.runs) document.title += (document.title.empty() ? "" : ", ") + run.name;
    for (const Evaluation& evaluation : material.evaluations) {
      if (material.runs.empty()) document.title += (document.title.empty() ? "" : ", ") + evaluation.name;
    }
  }
  for (Section (*const make)(const Material&) :
       {summary_section, comparison_section, published_section, funnel_section, curves_section, curriculum_section,
        speedups_section, failures_section, kernels_section, suspicious_section, ablations_section, cost_section,
        origin_section}) {
    Section section = make(material);
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace tritonrl::report
