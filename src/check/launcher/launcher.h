#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "check/launcher/launch_result.h"
#include "machine/machine.h"
#include "machine/memory.h"

namespace tritonrl::check {

struct LauncherOptions {
  std::string target = "h200";
  machine::MachineOptions machine;
  void fields(base::FieldVisitor& field);
};

// Kernels and memory of one script, executed by the kernel machine in the script's own process.
class Launcher {
 public:
  explicit Launcher(LauncherOptions options);

  machine::Memory& memory() { return memory_; }
  void remove(int number);
  void set_undefined(int number, std::uint8_t* bytes);

  base::Result<int> make(std::string_view ir, std::string file);
  // JsonError where the request is not what launcher_api.h says.
  LaunchResult launch(const base::Json& request);

 private:
  LauncherOptions options_;
  const program::Target* target_ = nullptr;
  machine::Memory memory_;
  std::map<int, std::uint8_t*> undefined_;
  std::vector<machine::Kernel> kernels_;
};

}  // namespace tritonrl::check
