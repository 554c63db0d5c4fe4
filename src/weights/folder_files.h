#pragma once

#include <cstddef>
#include <filesystem>
#include <system_error>

namespace tritonrl::weights {

// Text files beside the weights are read whole; longer ones are not what they claim to be.
constexpr std::size_t kLongestConfig = std::size_t{16} << 20;

// False for what cannot be looked at, too.
inline bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace tritonrl::weights
