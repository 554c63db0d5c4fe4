#include "record/checkpoint_folder.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

namespace tritonrl::record {
namespace {

constexpr std::string_view kStep = "step_";

}  // namespace

std::filesystem::path CheckpointFolder::step(const std::string& stage, std::int64_t step) const {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%06lld", static_cast<long long>(step));
  return folder / stage / (std::string(kStep) + digits);
}

std::vector<std::int64_t> CheckpointFolder::steps(const std::string& stage) const {
  std::vector<std::int64_t> found;
  std::error_code none;  // no such folder: no steps
  for (const auto& entry : std::filesystem::directory_iterator(folder / stage, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kStep) || !entry.is_directory()) continue;
    std::int64_t number = 0;
    const char* const last = name.data() + name.size();
    const auto read = std::from_chars(name.data() + kStep.size(), last, number);
    if (read.ec == std::errc() && read.ptr == last) found.push_back(number);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tritonrl::record
