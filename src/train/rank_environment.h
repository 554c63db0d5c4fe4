#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tritonrl::train {

// What a launcher told this process about itself and the others.
struct RankEnvironment {
  enum class Launcher : std::uint8_t { kMpirun, kSrun, kTorchrun };
  Launcher launcher = Launcher::kTorchrun;
  int rank = 0, ranks = 1;
  int local_rank = 0;  // on this machine: the number of its GPU
  // Where the ranks find one another; an empty host: they are on several machines, and nobody said.
  std::string host = "127.0.0.1";
  std::uint16_t port = 29500;
  bool hosted = false;  // the launcher itself serves that place; else the first rank does
  std::string attempt;  // of a job that its launcher starts again
};

// By the variables of torchrun (WORLD_SIZE, RANK, …), mpirun (OMPI_COMM_WORLD_*, PMI_*) or srun (SLURM_STEP_*); none:
// nobody said that there are others. `get` looks a variable up (nullptr: not set). MASTER_ADDR and MASTER_PORT hold for
// all launchers. UserError names the variable that is missing or no number.
std::optional<RankEnvironment> rank_environment(const std::function<const char*(const char*)>& get);

}  // namespace tritonrl::train
