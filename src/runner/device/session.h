#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "runner/device/device_space.h"
#include "runner/device/held_program.h"
#include "runner/device/shared_memory.h"
#include "runner/device_messages.h"
#include "runner/message.h"

namespace tritonrl::runner {

// What the process on the GPU's side answers. The same program serves the referee (who draws inputs, knows what is
// expected and compares) and the candidates; which one it is depends on what it is asked. Its requests are those
// of runner/device_messages.h.
class DeviceSession {
 public:
  struct Answer {
    base::Json body;
    std::vector<base::UniqueFd> descriptors;
    bool broken = false;  // nothing can be computed here any more
  };

  // Makes the context: half a second or more.
  DeviceSession();

  Answer answer(Message message, std::vector<base::UniqueFd> descriptors);

 private:
  base::Json dispatch(Message message, std::vector<base::UniqueFd>& descriptors, Answer* answer);
  void load(Message message);
  DrawAnswer draw(const DeviceDraw& request, Answer* answer);
  RunAnswer run(const RunOrder& request, std::vector<base::UniqueFd>& descriptors);
  CompareAnswer compare(const CompareOrder& request);
  DeviceTimes time(DeviceTimingOptions options);
  void map(const RunOrder& request, std::vector<base::UniqueFd>& descriptors);
  void hand_out(const std::vector<at::Tensor>& outputs);
  // The reference's outputs in float64, or with products in TF32; none if it cannot be computed so.
  std::optional<std::vector<at::Tensor>> computed_otherwise(bool tf32);

  DeviceSpace space_;
  std::unique_ptr<HeldProgram> reference_, candidate_;
  std::vector<SharedMemory> inputs_, outputs_;  // of the last draw
  std::vector<at::Tensor> given_;               // views of inputs_
  std::vector<at::Tensor> expected_;            // the referee's
  std::uint64_t seed_ = 0;                      // of the last draw
  bool uneven_ = false;                         // the same: rows of uneven runs
};

}  // namespace tritonrl::runner
