#pragma once

#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

// Time on a device: of a whole, and of each kernel.
namespace tritonrl::bench {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline void wait_for(c10::Device device) {
  if (!device.is_cpu()) c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
}

// Kernels of a few steps by name, the longest first.
template <class Steps>
void profile(const Steps& steps, int count, std::size_t shown = 12) {
  using namespace torch::profiler::impl;
  const ProfilerConfig config(ProfilerState::KINETO);
  const std::set<ActivityType> activities = {ActivityType::CPU, ActivityType::CUDA};
  torch::autograd::profiler::prepareProfiler(config, activities);
  torch::autograd::profiler::enableProfiler(config, activities);
  const auto start = std::chrono::steady_clock::now();
  steps();
  const double wall = seconds_since(start);
  const auto result = torch::autograd::profiler::disableProfiler();
  std::map<std::string, std::pair<double, int>> kernels;
  double total = 0;
  for (const auto& event : result->events()) {
    if (event.deviceType() != c10::DeviceType::CUDA) continue;
    auto& [time, launches] = kernels[event.name().substr(0, 110)];
    time += static_cast<double>(event.durationNs()) * 1e-6;
    total += static_cast<double>(event.durationNs()) * 1e-6;
    ++launches;
  }
  std::vector<std::pair<std::string, std::pair<double, int>>> sorted(kernels.begin(), kernels.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  std::printf("a step while profiled: %.2f ms, of which the device works %.2f ms\n", wall * 1e3 / count, total / count);
  for (std::size_t i = 0; i < std::min(shown, sorted.size()); ++i) {
    const auto& [time, launches] = sorted[i].second;
    std::printf("  %6.3f ms  %5.1f %%  %4d launches  %s\n", time / count, 100 * time / total, launches / count,
                sorted[i].first.c_str());
  }
}

}  // namespace tritonrl::bench
