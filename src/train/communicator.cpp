#include "train/communicator.h"

#include <cstdlib>

#include "base/error.h"

namespace tritonrl::train {
namespace {

class SingleProcess : public Communicator {
 public:
  int rank() const override { return 0; }
  int ranks() const override { return 1; }
  void sum(at::Tensor&) override {}
  bool any(bool value) override { return value; }
  void barrier() override {}
  void abandon(const std::string&) override {}
};

bool several(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && std::atoi(value) > 1;
}

}  // namespace

std::unique_ptr<Communicator> single_process() {
  return std::make_unique<SingleProcess>();
}

std::unique_ptr<Communicator> processes_of_environment() {
  // Open MPI's mpirun, MPICH's and srun's (PMI)
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (several(variable)) return mpi_processes();
  }
  if (several("WORLD_SIZE"))
    throw base::UserError("train", "ranks started by torchrun are not served yet; start them with mpirun");
  return single_process();
}

}  // namespace tritonrl::train
