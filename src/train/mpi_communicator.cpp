#include <mpi.h>

#include <algorithm>
#include <iostream>

#include "base/check.h"
#include "base/error.h"
#include "train/communicator.h"

namespace tritonrl::train {
namespace {

// MPI ends all ranks when one dies or calls MPI_Abort: the checkpoint that the first one wrote last is what the next
// start goes on from.
class MpiProcesses : public Communicator {
 public:
  MpiProcesses() {
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
      throw base::InfrastructureError("train", "MPI_Init_thread failed; start the program with mpirun");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  ~MpiProcesses() override { MPI_Finalize(); }
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }

  void sum(at::Tensor& tensor) override {
    TRL_CHECK(tensor.scalar_type() == at::kFloat && tensor.is_contiguous(), "float32 tensors are exchanged");
    at::Tensor host = tensor.to(at::kCPU);
    auto* data = host.mutable_data_ptr<float>();
    constexpr std::int64_t kMost = std::int64_t{1} << 28;  // MPI counts in int
    for (std::int64_t at = 0; at < host.numel(); at += kMost) {
      const auto count = static_cast<int>(std::min(kMost, host.numel() - at));
      MPI_Allreduce(MPI_IN_PLACE, data + at, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (!tensor.is_cpu()) tensor.copy_(host);
  }

  bool any(bool value) override {
    int all = value ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all != 0;
  }

  void barrier() override { MPI_Barrier(MPI_COMM_WORLD); }

  void abandon(const std::string& why) override {
    std::cerr << "tritonrl: rank " << rank_ << " of " << ranks_ << " failed, which ends all: " << why << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 2);
  }

 private:
  int rank_ = 0, ranks_ = 1;
};

}  // namespace

std::unique_ptr<Communicator> mpi_processes() {
  return std::make_unique<MpiProcesses>();
}

}  // namespace tritonrl::train
