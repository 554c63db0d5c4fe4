#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// For Policy::devices: the nodes of NVIDIA's driver, and folders of them, that CUDA opens, as far as `dev` has them.
// Without a GPU: none.
std::vector<std::string> gpu_devices(const std::string& dev = "/dev");

// How many of NVIDIA's GPUs have a node there, of those that CUDA_VISIBLE_DEVICES leaves.
int gpu_count(const std::string& dev = "/dev");

// For a process's environment, so that it sees the GPU with that number of them alone, counted in the order of their
// buses where the user's environment says nothing else. UserError if there is none.
std::vector<std::string> gpu_environment(int index);

// For Policy::readable: what CUDA reads of the system beside its own /proc/self, as far as `root` has it. The folders
// of the libraries are among it only where containers put the driver's.
std::vector<std::string> gpu_readable(const std::string& root = "");

// `policy` for a process that holds the GPU: the two lists above, the folders of all libraries that `zygote` has
// loaded, and limits that leave room for CUDA. Its limits of time and `processes` stay as they are.
Policy gpu_policy(Policy policy, pid_t zygote);

}  // namespace tritonrl::sandbox
