#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace tritonrl::judge {

// Which elements of a mask are set: rows, of the last dimension, that are set by half, in one place alone, and all but
// in one (or everywhere, where `full_rows` may be). None is set nowhere.
std::vector<bool> mask_pattern(const std::vector<std::int64_t>& sizes, std::size_t count, bool full_rows,
                               std::mt19937_64& random);

}  // namespace tritonrl::judge
