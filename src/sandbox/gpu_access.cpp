#include "sandbox/gpu_access.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "base/error.h"

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

// What the user hid stays hidden. None: nothing is said.
std::optional<std::vector<std::string>> visible_gpus() {
  const char* said = std::getenv("CUDA_VISIBLE_DEVICES");
  if (said == nullptr) return std::nullopt;
  std::vector<std::string> out;
  std::istringstream names(said);
  for (std::string name; std::getline(names, name, ',');) out.push_back(name);
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
  if (const auto visible = visible_gpus()) return static_cast<int>(visible->size());
  const std::vector<std::string> nodes = gpu_devices(dev);
  return static_cast<int>(
      std::ranges::count_if(nodes, [](const std::string& node) { return is_gpu(fs::path(node).filename().string()); }));
}

std::vector<std::string> gpu_environment(int index) {
  std::string name = std::to_string(index);
  if (const auto visible = visible_gpus()) {
    if (index < 0 || static_cast<std::size_t>(index) >= visible->size())
      throw base::UserError("device", "there is no GPU " + name + " among CUDA_VISIBLE_DEVICES");
    name = (*visible)[static_cast<std::size_t>(index)];
  }
  std::vector<std::string> out = {"CUDA_VISIBLE_DEVICES=" + name};
  if (const char* order = std::getenv("CUDA_DEVICE_ORDER")) {
    out.push_back(std::string("CUDA_DEVICE_ORDER=") + order);
  } else if (std::getenv("CUDA_VISIBLE_DEVICES") == nullptr) {
    out.emplace_back("CUDA_DEVICE_ORDER=PCI_BUS_ID");
  }
  return out;
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
