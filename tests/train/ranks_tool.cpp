// One rank of a job, for check_nccl_ranks.py: ranks_tool exchange|fail|vanish.
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

#include "train/communicator.h"
#include "train/rank_watch.h"

int main(int argc, char** argv) {
  using namespace tritonrl::train;
  const std::string what = argc > 1 ? argv[1] : "";
  const RankEnvironment environment = rank_environment(std::getenv).value();
  if (what == "vanish") {  // the last rank dies without a word
    const RankWatch watch(environment, std::chrono::seconds(3));
    if (environment.rank + 1 == environment.ranks) std::_Exit(9);
    std::this_thread::sleep_for(std::chrono::seconds(60));
    return 0;
  }
  const auto ranks = nccl_processes(environment, c10::Device(c10::kCPU));
  if (what == "fail" && environment.rank + 1 == environment.ranks) ranks->abandon("no data");
  if (what == "fail") {
    std::this_thread::sleep_for(std::chrono::seconds(60));
    return 0;
  }
  at::Tensor values = at::full({3}, environment.rank + 1.5);
  ranks->sum(values);
  const bool any = ranks->any(environment.rank == 1), none = ranks->any(false);
  ranks->barrier();
  std::cout << ranks->rank() << "/" << ranks->ranks() << " sum " << values[2].item<float>() << " any " << any
            << " none " << none << std::endl;
  return 0;
}
