#include "train/communicator.h"

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

}  // namespace

std::unique_ptr<Communicator> single_process() {
  return std::make_unique<SingleProcess>();
}

std::unique_ptr<Communicator> processes_of_environment(const std::optional<RankEnvironment>& environment,
                                                       c10::Device device) {
  if (!environment) return single_process();
  if (device.is_cuda()) return nccl_processes(*environment, device);
  if (environment->ranks == 1) return single_process();
  if (environment->launcher == RankEnvironment::Launcher::kTorchrun)
    throw base::UserError("train", "ranks on CPUs exchange gradients by MPI: start them with mpirun");
  std::unique_ptr<Communicator> processes = mpi_processes();
  // srun without a plugin for MPI starts processes that know of no others
  if (processes->ranks() != environment->ranks)
    throw base::UserError("train", std::to_string(environment->ranks) + " ranks were started, but MPI knows of " +
                                       std::to_string(processes->ranks()) +
                                       "; pass --mpi=pmix to srun, or start them with mpirun");
  return processes;
}

}  // namespace tritonrl::train
