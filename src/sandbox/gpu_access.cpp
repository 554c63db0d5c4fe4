#include "sandbox/gpu_access.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

namespace tritonrl::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "nvidia";

// Left out: nvidia-modeset, for screens alone.
constexpr std::string_view kFixed[] = {"nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-caps",
                                       "nvidia-caps-imex-channels"};

constexpr std::string_view kReadable[] = {
    // the driver: its version and parameters, the GPUs that it has found, the numbers of its nodes
    "/proc/driver/nvidia", "/proc/driver/nvidia-uvm", "/proc/driver/nvidia-caps", "/proc/devices", "/proc/modules",
    "/sys/module/nvidia", "/sys/module/nvidia_uvm", "/usr/local/nvidia", "/etc/nvidia", "/usr/share/nvidia",
    // the machine: processors, memory and which of it is near to which GPU
    "/sys/devices", "/sys/bus/pci", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version",
    "/proc/filesystems", "/proc/sys/vm/mmap_min_addr", "/proc/sys/vm/overcommit_memory", "/proc/sys/vm/max_map_count"};

bool is_gpu(std::string_view name) {
  if (!name.starts_with(kPrefix) || name == kPrefix) return false;
  name.remove_prefix(kPrefix.size());
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

// Folders of the libraries that a process has: cuDNN and others load more of their own when they are first used.
std::set<std::string> library_folders(pid_t process) {
  std::set<std::string> out;
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos || line.find(".so", path) == std::string::npos) continue;
    out.insert(fs::path(line.substr(path)).parent_path().string());
  }
  return out;
}

}  // namespace

std::vector<std::string> gpu_devices(const std::string& dev) {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(dev, error)) {
    const std::string name = entry.path().filename();
    if (is_gpu(name) || std::ranges::find(kFixed, name) != std::end(kFixed)) out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

int gpu_count(const std::string& dev) {
  const std::vector<std::string> nodes = gpu_devices(dev);
  return static_cast<int>(
      std::ranges::count_if(nodes, [](const std::string& node) { return is_gpu(fs::path(node).filename().string()); }));
}

std::vector<std::string> gpu_readable(const std::string& root) {
  std::vector<std::string> out;
  std::error_code error;
  for (const std::string_view path : kReadable) {
    std::string full = root + std::string(path);
    if (fs::exists(full, error)) out.push_back(std::move(full));
  }
  return out;
}

Policy gpu_policy(Policy policy, pid_t zygote) {
  for (const std::string& folder : library_folders(zygote)) policy.readable.push_back(folder);
  for (std::string& path : gpu_readable()) policy.readable.push_back(std::move(path));
  policy.devices = gpu_devices();
  policy.threads = std::max<std::int64_t>(policy.threads, 256);
  policy.memory_bytes = std::int64_t{64} << 30;
  policy.open_files = 4096;
  policy.scratch_bytes = std::int64_t{256} << 20;  // what CUDA keeps in files without a name counts too
  return policy;
}

}  // namespace tritonrl::sandbox
