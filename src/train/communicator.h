#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <optional>
#include <string>

#include "train/rank_environment.h"

namespace tritonrl::train {

// The processes that train one model together, each on a share of every step's passes. Calls are collective: all ranks
// make the same ones in the same order.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  // Adds up over all ranks, in place; float32, contiguous.
  virtual void sum(at::Tensor& tensor) = 0;
  // Whether any rank says so: all stop and save at the same step then.
  virtual bool any(bool value) = 0;
  virtual void barrier() = 0;
  // This rank cannot go on; the others, who would wait for it, are told and end. May not return.
  virtual void abandon(const std::string& why) = 0;

  bool first() const { return rank() == 0; }
};

// One process alone.
std::unique_ptr<Communicator> single_process();

// The ranks that `mpirun` started, by MPI. Tensors pass through the host. UserError where MPI is not built in
// (no_mpi_communicator.cpp).
std::unique_ptr<Communicator> mpi_processes();

// Ranks with a GPU each, by NCCL; they meet through a TCPStore of torch's. UserError where torch brings no NCCL.
std::unique_ptr<Communicator> nccl_processes(const RankEnvironment& environment, c10::Device device);

// Those that started us, or this process alone. On GPUs by NCCL, also for a single rank where a launcher started it; on
// CPUs by MPI. `device` is this rank's.
std::unique_ptr<Communicator> processes_of_environment(const std::optional<RankEnvironment>& environment,
                                                       c10::Device device);

}  // namespace tritonrl::train
