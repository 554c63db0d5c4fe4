#include "base/error.h"
#include "train/communicator.h"

namespace tritonrl::train {

std::unique_ptr<Communicator> mpi_processes() {
  throw base::UserError(
      "train", "several ranks were started, but this build has no MPI; install libopenmpi-dev and build again");
}

}  // namespace tritonrl::train
