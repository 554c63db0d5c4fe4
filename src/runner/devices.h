#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/lasting_thread.h"
#include "runner/device.h"

namespace tritonrl::runner {

// "cuda": the first; "cuda:1"; "cuda:0,2"; "cuda:all": all of `available`. UserError that says what is wrong.
std::vector<int> device_indices(std::string_view text, int available);

// One GPU or several; a candidate is judged by the first that is free. Thread-safe.
class Devices {
 public:
  // Starts them side by side. `options.index` is taken from `indices`.
  Devices(const DeviceOptions& options, const std::vector<int>& indices);

  DeviceReport judge(const DeviceWork& work);  // as Device::judge
  // As Device::alone, on the first one.
  void alone(const std::function<void()>& work);
  void beside(const std::function<void()>& work);                     // likewise
  const DeviceFacts& facts() const { return all_.front()->facts(); }  // the first one's
  std::string names() const;  // "NVIDIA H200, NVIDIA A100": of all, as any of them may judge

 private:
  class Taken;

  std::list<base::LastingThread> threads_;  // that started them
  std::vector<std::unique_ptr<Device>> all_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<bool> busy_;
};

}  // namespace tritonrl::runner
