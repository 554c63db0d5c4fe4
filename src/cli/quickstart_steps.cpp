#include "cli/quickstart_steps.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

fs::path faster_module(const QuickstartPlan& plan) {
  return plan.folder / "optimized.py";
}

QuickstartStep evaluation(const QuickstartPlan& plan, std::size_t place, const std::string& title,
                          const fs::path& model) {
  const fs::path out = quickstart_evaluations(plan)[place];
  return {.title = title,
          .done = out,
          .words = {"eval", "--config", plan.config, "--model", model, "--tasks", plan.folder / "data", "--name",
                    out.stem().string().substr(5), "--out", out}};
}

}  // namespace

std::vector<fs::path> quickstart_evaluations(const QuickstartPlan& plan) {
  return {plan.folder / "eval_base.json", plan.folder / "eval_sft.json", plan.folder / "eval_rl.json"};
}

fs::path quickstart_proof(const QuickstartPlan& plan) {
  return faster_module(plan).replace_extension(".json");
}

fs::path quickstart_report(const QuickstartPlan& plan) {
  return plan.folder / "report.html";
}

std::vector<QuickstartStep> quickstart_steps(const QuickstartPlan& plan) {
  const fs::path data = plan.folder / "data", checkpoints = plan.folder / "checkpoints", runs = plan.folder / "runs";
  const fs::path sft = checkpoints / "sft_final", rl = checkpoints / "rl_final";
  std::vector<QuickstartStep> out;
  out.push_back({.title = "data: modules with operators that the model has never seen, and kernels for them",
                 .done = data / "sft_train.jsonl",
                 .words = {"prepare", "--config", plan.config, "--out", data}});
  out.push_back(evaluation(plan, 0, "the model as it is, on held-out tasks", plan.model));
  out.push_back({.title = "fine-tuning on the pairs",
                 .done = sft,
                 .words = {"sft", "--config", plan.config, "--model", plan.model, "--data", data / "sft_train.jsonl",
                           "--checkpoints", checkpoints, "--runs", runs}});
  if (plan.gpu && plan.gpu_steps > 0) {
    out.back().words.insert(out.back().words.end(), {"--steps", std::to_string(plan.gpu_steps)});
  }
  out.push_back(evaluation(plan, 1, "the fine-tuned model, on the same tasks", sft));
  out.push_back({.title = "reinforcement: the model answers tasks without solutions, the judge executes, what earns "
                          "more is reinforced",
                 .done = rl,
                 .words = {"rl", "--config", plan.config, "--model", sft, "--tasks", data, "--checkpoints", checkpoints,
                           "--runs", runs}});
  out.push_back(evaluation(plan, 2, "the reinforced model, on the same tasks", rl));
  out.push_back(
      {.title = "a faster " + plan.module.stem().string(),
       .done = faster_module(plan),
       .words = {"optimize", plan.module, "--config", plan.config, "--model", rl, "--out", faster_module(plan)}});
  if (plan.gpu) out.back().words.insert(out.back().words.end(), {"--device", "cuda"});
  out.push_back({.title = "the report",
                 .done = {},
                 .words = {"report", runs / "sft", runs / "rl", "--title", "tritonrl quickstart"}});
  for (const fs::path& one : quickstart_evaluations(plan))
    out.back().words.insert(out.back().words.end(), {"--eval", one});
  out.back().words.insert(out.back().words.end(), {"--out", quickstart_report(plan)});
  return out;
}

}  // namespace tritonrl::cli
