#include <iostream>
#include <string>

#include "tests/report/made_files.h"

// make_report_files FOLDER: runs and evaluations with made-up numbers, to look at a page of all parts.
int main(int argc, char** argv) {
  using namespace tritonrl::report::testing;
  if (argc != 2) {
    std::cerr << "usage: make_report_files FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  make_rl_run(folder / "runs/grpo", {.name = "grpo"});
  make_rl_run(folder / "runs/grpo_seed2", {.name = "grpo_seed2", .seed = 2});
  make_rl_run(folder / "runs/no_curriculum",
              {.name = "no_curriculum", .seed = 3, .curriculum = false, .finished = false});
  make_sft_run(folder / "runs/sft");
  make_evaluation(folder / "outputs/eval_base.json", {.model = "models/base", .skill = 0.35});
  make_evaluation(folder / "outputs/eval_sft.json", {.model = "checkpoints/sft_final", .skill = 0.55});
  // what a page must survive: markup, and words that no line can hold
  const std::string hostile =
      "</pre><script>document.title='broken'</script><img src=x onerror=alert(1)>" + std::string(200, 'w');
  make_rl_run(folder / "hostile/run", {.name = "hostile", .rounds = 8, .hostile = hostile});
  make_evaluation(folder / "hostile/eval_a.json", {.hostile = hostile});
  make_evaluation(folder / "hostile/eval_b.json", {.skill = 0.8, .hostile = hostile});
  make_evaluation(folder / "outputs/eval_rl.json", {.model = "checkpoints/rl_final", .skill = 0.8});
}
