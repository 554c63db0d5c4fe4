#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::data {

// A task of KernelBench, by its own numbering.
struct BenchmarkPlace {
  int level = 0;             // 1 to 4
  std::int64_t problem = 0;  // 23 of "23_Softmax.py"
  std::string name;          // "23_Softmax"
};

// From "…/level1/23_Softmax.py". None where the path has another form.
std::optional<BenchmarkPlace> benchmark_place(const std::filesystem::path& file);

// The task files of a checkout (its root, its folder KernelBench, or one level folder), by level and number.
// Empty: the folder is no checkout of KernelBench.
std::vector<std::filesystem::path> benchmark_files(const std::filesystem::path& folder);

// Why a task's answer can be guessed or its output cannot be checked ("output is exactly 0"); empty: nothing is known.
// Level, number and name must all fit, since versions of the benchmark number tasks differently.
// A reason that begins with "at 1e-2: " holds only at that tolerance, not at 1e-4 in fp32.
std::string_view degenerate_reason(const BenchmarkPlace& place);
// Whether one holds at 1e-4 in fp32 already: such a task is reported apart.
bool is_degenerate(const BenchmarkPlace& place);
bool is_degenerate(std::string_view reason);
// The whole list, loose ones included.
std::vector<BenchmarkPlace> all_degenerate_places();

}  // namespace tritonrl::data
