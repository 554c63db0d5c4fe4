#include "cli/run_json.h"

#include "base/fields.h"
#include "cli/run_text.h"

namespace tritonrl::cli {
namespace {

base::Json launches_json(const judge::Replayer::Replay& replay, const judge::ModelledProgram& modelled) {
  const program::Program& program = *replay.recording.program;
  base::Json out = base::Json::array();
  for (const runner::LaunchReport& report : replay.outcome.launches) {
    if (report.at.section != runner::Section::kForward) continue;
    const auto& launch = std::get<program::Launch>(
        program.forwards[static_cast<std::size_t>(report.at.forward)].steps[static_cast<std::size_t>(report.at.step)]);
    base::Json one = {{"kernel", program.kernels[static_cast<std::size_t>(launch.kernel)].name},
                      {"step", report.at.step},
                      {"grid", launch.variants[static_cast<std::size_t>(report.variant)].grid},
                      {"counters", base::to_json(report.counters).sorted()}};
    for (const runner::LaunchChoice& choice : replay.compiled.launches) {
      if (choice.at != report.at || choice.variant != report.variant) continue;
      const machine::KernelResources resources =
          judge::resources_of(replay.compiled.kernels[static_cast<std::size_t>(choice.image)]);
      one["resources"] = {{"num_warps", resources.num_warps},
                          {"num_stages", resources.num_stages},
                          {"registers", resources.registers},
                          {"shared_bytes", resources.shared_bytes}};
    }
    for (const judge::ModelledLaunch& time : modelled.launches) {
      if (time.at == report.at) one["modelled_seconds"] = time.time.seconds;
    }
    base::Json findings = base::Json::array();
    for (const machine::Finding& finding : report.findings) {
      findings.push_back({{"kind", to_string(finding.kind)},
                          {"message", finding.message},
                          {"text", finding_text(program, replay.compiled, report, finding)},
                          {"program", finding.program},
                          {"tensor", finding.tensor},
                          {"offset", finding.offset}});
    }
    one["findings"] = std::move(findings);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string run_json(const RunReport& report) {
  const judge::ModelledProgram& modelled = *report.modelled;
  base::Json out = {{"target", report.target},
                    {"sampled", report.sampled},
                    {"launches", launches_json(*report.replay, modelled)},
                    {"modelled",
                     {{"candidate_seconds", modelled.seconds},
                      {"aten_seconds", modelled.aten_seconds},
                      {"reference_seconds", report.reference_seconds},
                      {"speedup", modelled.seconds > 0 ? report.reference_seconds / modelled.seconds : 0}}}};
  if (report.comparison != nullptr) {
    out["outputs"] = {{"equal", report.comparison->equal},
                      {"max_error", report.comparison->max_error},
                      {"message", report.comparison->message}};
  }
  return out.dump();
}

}  // namespace tritonrl::cli
