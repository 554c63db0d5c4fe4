#pragma once

#include <cstdint>

#include "base/unique_fd.h"

namespace tritonrl::python {

// Memory of a fixed size that one process fills and another reads when the first is gone.
class OutputMemory {
 public:
  // InfrastructureError if there is none to be had.
  explicit OutputMemory(std::int64_t bytes);

  int descriptor() const;
  // From now on nobody can write. False: somebody still has it mapped for writing, or prevented it.
  bool seal();

 private:
  base::UniqueFd fd_;
};

}  // namespace tritonrl::python
