#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "machine/memory.h"
#include "program/program.h"

namespace tritonrl::machine {

// What a storage must hold after the launches.
struct Expected {
  std::string from;  // "reference", "interpreter" or "gpu"
  int storage = 0;
  program::DType dtype = program::DType::kFloat32;
  std::string bytes;
  double rtol = 0, atol = 0;
};

// An element of an int64 storage that is the address of a byte of another.
struct PointerElement {
  int storage = 0;
  std::int64_t index = 0;
  int to = 0;
  std::int64_t offset = 0;  // bytes
};

// A case of tests/machine/kernels as make_cases.py writes it: NAME.json and NAME.bin.
struct KernelCase {
  std::string name, family;
  program::Program program;                          // one forward; its steps are launches
  std::vector<std::optional<std::string>> contents;  // by storage; none: as torch.empty
  std::vector<PointerElement> pointers;
  std::vector<Expected> expected;
};

base::Result<KernelCase> load_kernel_case(const std::filesystem::path& json_file);
// Every NAME.json of the folder, sorted.
std::vector<std::filesystem::path> kernel_case_files(const std::filesystem::path& folder);

// The case's storages in the kernels' address space: given contents, or garbage that counts as never written.
class CaseMemory {
 public:
  explicit CaseMemory(const KernelCase& kernel_case);

  Memory& memory() { return memory_; }
  std::uint64_t address(int storage) const;
  std::string_view bytes(int storage) const;

 private:
  std::vector<std::vector<std::byte>> data_;
  std::vector<int> allocations_;  // by storage
  Memory memory_;
};

// The largest error as a multiple of what rtol and atol allow, so at most 1 is equal; infinite where one side only is
// NaN, or for integers that differ. `at` is the element's index.
struct Distance {
  double ratio = 0;
  std::int64_t at = -1;
  double got = 0, wanted = 0;
};
Distance distance(std::string_view got, const Expected& expected);

}  // namespace tritonrl::machine
