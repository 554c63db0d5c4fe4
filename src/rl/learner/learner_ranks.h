#pragma once

#include <c10/core/Device.h>

#include "rl/ranks.h"
#include "train/communicator.h"

namespace tritonrl::rl {

// The ranks that train together, which can only add numbers: texts go as those, 16 bits a float, which is exact.
class LearnerRanks : public Ranks {
 public:
  // `device`: where their sums are made. `communicator` must outlive it.
  LearnerRanks(train::Communicator& communicator, c10::Device device) : communicator_(communicator), device_(device) {}

  int rank() const override { return communicator_.rank(); }
  int ranks() const override { return communicator_.ranks(); }
  std::vector<std::string> all(const std::string& mine) override;

 private:
  // Row r of what all ranks have of it; `row` is this one's, as long as the others'.
  at::Tensor rows(const at::Tensor& row);

  train::Communicator& communicator_;
  c10::Device device_;
};

}  // namespace tritonrl::rl
