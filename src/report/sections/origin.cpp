#include "base/json.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

std::string versions_of(const record::RunManifest::Versions& versions) {
  std::string out = "tritonrl " + versions.program;
  if (!versions.torch.empty()) out += ", torch " + versions.torch;
  if (!versions.judge.empty()) out += ", judge " + versions.judge;
  return out;
}

std::string text_of(const base::Json& json) {
  return json.is_string() ? json.text() : json.dump();
}

}  // namespace

Section origin_section(const Material& material) {
  Section section{.id = "origin", .title = "Where this comes from", .blocks = {}};
  Table runs{.head = {"run", "command", "versions", "started", "finished"}, .rows = {}, .words = 5};
  for (const Run& run : material.runs) {
    if (!run.manifest) continue;
    std::string command;
    for (const std::string& word : run.manifest->command) command += (command.empty() ? "" : " ") + word;
    runs.rows.push_back({run.name, command, versions_of(run.manifest->versions), run.manifest->started,
                         run.manifest->finished.empty() ? "-" : run.manifest->finished});
  }
  if (!runs.rows.empty()) section.blocks.emplace_back(std::move(runs));
  Table data{.head = {"run", "data", "sha256"}, .rows = {}, .words = 3};
  for (const Run& run : material.runs) {
    if (!run.manifest) continue;
    for (const auto& [file, hash] : run.manifest->data) data.rows.push_back({run.name, file, hash});
  }
  if (!data.rows.empty()) section.blocks.emplace_back(std::move(data));
  Table evaluations{.head = {"evaluation", "model", "adapter", "file", "judge", "times"}, .rows = {}, .words = 6};
  for (const Evaluation& evaluation : material.evaluations) {
    const base::Json* adapter = evaluation.file.find("adapter_path");
    const std::string model = evaluation.file.at("model_path").text();
    evaluations.rows.push_back(
        {evaluation.name, model.empty() ? "answers of a file" : model,
         adapter == nullptr || !adapter->is_string() || adapter->text().empty() ? "-" : adapter->text(),
         evaluation.path.filename().string(), text_of(evaluation.file.at("judge_version")),
         evaluation.file.at("timing").text()});
  }
  if (!evaluations.rows.empty()) section.blocks.emplace_back(std::move(evaluations));
  return section;
}

}  // namespace tritonrl::report
