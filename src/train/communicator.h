#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

namespace tritonrl::train {

// The processes that train one model together, each on a share of every step's batches. Calls are collective: all ranks
// make the same ones in the same order.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  // Adds up over all ranks, in place; contiguous.
  virtual void sum(at::Tensor& tensor) = 0;
  // Whether any rank says so: all stop at the same step then.
  virtual bool any(bool value) = 0;
  virtual void barrier() = 0;

  bool first() const { return rank() == 0; }
};

// One process alone.
std::unique_ptr<Communicator> single_process();

}  // namespace tritonrl::train
