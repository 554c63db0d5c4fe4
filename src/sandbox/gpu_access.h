#pragma once

#include <string>
#include <vector>

namespace tritonrl::sandbox {

// For Policy::devices: the nodes of NVIDIA's driver, and folders of them, that CUDA opens, as far as `dev` has them.
// Without a GPU: none.
std::vector<std::string> gpu_devices(const std::string& dev = "/dev");

// How many of NVIDIA's GPUs have a node there.
int gpu_count(const std::string& dev = "/dev");

// For Policy::readable: what CUDA reads of the system beside its own /proc/self, as far as `root` has it. The folders
// of the libraries are among it only where containers put the driver's.
std::vector<std::string> gpu_readable(const std::string& root = "");

}  // namespace tritonrl::sandbox
