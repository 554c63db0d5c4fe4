#include "sandbox/gpu_access.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "sandbox/scratch.h"

namespace tritonrl::sandbox {
namespace {

namespace fs = std::filesystem;

TEST(GpuAccess, FindsTheNodesThatAreThere) {
  const std::string dev = make_scratch("/var/tmp");
  for (const char* name : {"nvidia0", "nvidia12", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset",
                           "nvidia", "nvidia0x", "nvme0", "tty", "0nvidia1"}) {
    std::ofstream(dev + "/" + name).flush();
  }
  fs::create_directory(dev + "/nvidia-caps");
  const std::vector<std::string> expected{dev + "/nvidia-caps", dev + "/nvidia-uvm", dev + "/nvidia-uvm-tools",
                                          dev + "/nvidia0",     dev + "/nvidia12",   dev + "/nvidiactl"};
  EXPECT_EQ(gpu_devices(dev), expected);
  EXPECT_TRUE(gpu_devices(dev + "/missing").empty());
  remove_scratch(dev);
}

TEST(GpuAccess, CountsAndNamesTheGpusThatTheUserLeaves) {
  const std::string dev = make_scratch("/var/tmp");
  for (const char* name : {"nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"}) std::ofstream(dev + "/" + name).flush();
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  ::unsetenv("CUDA_DEVICE_ORDER");
  EXPECT_EQ(gpu_count(dev), 2);
  EXPECT_EQ(gpu_environment(1), (std::vector<std::string>{"CUDA_VISIBLE_DEVICES=1", "CUDA_DEVICE_ORDER=PCI_BUS_ID"}));
  ::setenv("CUDA_VISIBLE_DEVICES", "5,GPU-abc,2", 1);
  EXPECT_EQ(gpu_count(dev), 3);
  EXPECT_EQ(gpu_environment(1), std::vector<std::string>{"CUDA_VISIBLE_DEVICES=GPU-abc"});
  EXPECT_THROW(gpu_environment(3), base::UserError);
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  EXPECT_EQ(gpu_count(dev), 0);
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  remove_scratch(dev);
}

TEST(GpuAccess, FindsWhatIsReadable) {
  const std::string root = make_scratch("/var/tmp");
  fs::create_directories(root + "/proc/driver/nvidia/gpus");
  fs::create_directories(root + "/sys/devices");
  std::ofstream(root + "/proc/devices").flush();
  std::vector<std::string> found = gpu_readable(root);
  std::ranges::sort(found);
  EXPECT_EQ(found,
            (std::vector<std::string>{root + "/proc/devices", root + "/proc/driver/nvidia", root + "/sys/devices"}));
  remove_scratch(root);
}

TEST(GpuAccess, KnowsThisMachine) {
  const std::vector<std::string> readable = gpu_readable();
  EXPECT_NE(std::ranges::find(readable, "/proc/devices"), readable.end());
  for (const std::string& path : readable) EXPECT_TRUE(fs::exists(path)) << path;
  EXPECT_EQ(gpu_devices().empty(), !fs::exists("/dev/nvidiactl"));
}

}  // namespace
}  // namespace tritonrl::sandbox
