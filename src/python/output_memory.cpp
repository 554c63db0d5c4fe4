#include "python/output_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"

namespace tritonrl::python {

OutputMemory::OutputMemory(std::int64_t bytes) : fd_(memfd_create("outputs", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  // of fixed size: a reader of a file that shrinks is killed
  if (!fd_ || ftruncate(fd_.get(), std::max<std::int64_t>(1, bytes)) != 0 ||
      fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
    throw base::InfrastructureError("live", base::system_message("memory for outputs"));
}

int OutputMemory::descriptor() const {
  return fd_.get();
}

bool OutputMemory::seal() {
  return fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_WRITE) == 0;
}

}  // namespace tritonrl::python
