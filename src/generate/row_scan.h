#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tritonrl::generate {

// Passes over one row of a vocabulary on the CPU, written so that the compiler makes vector instructions of them.

double sum_of(std::span<const float> values);
float largest_of(std::span<const float> values);                  // of at least one; no promise for NaN
std::int64_t first_largest(std::span<const float> values);        // its place; 0 if there are only NaN
float kth_largest(std::span<const float> values, std::size_t k);  // k from 1 to their number

}  // namespace tritonrl::generate
