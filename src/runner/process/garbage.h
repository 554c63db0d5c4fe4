#pragma once

#include <cstddef>
#include <cstdint>

#include "program/dtype.h"

namespace tritonrl::runner {

// Pseudo-random contents, determined by `key` and the place alone. `bytes` is a multiple of 8 but at the end of memory;
// `offset` is a multiple of 8, counted in bytes from the start of that memory.

// What memory holds that nobody has written: any bits at all, so that using them shows. Bool: 0 and 1.
void fill_with_garbage(std::byte* data, std::int64_t offset, std::int64_t bytes, program::DType dtype,
                       std::uint64_t key);

// Plausible data of the type: floats evenly in ±1.5, bools 0 and 1, integers zero.
void fill_with_data(std::byte* data, std::int64_t offset, std::int64_t bytes, program::DType dtype, std::uint64_t key);

// The same with floats evenly in [0, 1). False, and nothing is done, for other types.
bool fill_with_units(std::byte* data, std::int64_t offset, std::int64_t bytes, program::DType dtype, std::uint64_t key);

// Floats: normal deviates times `scale` (`positive`: without signs), or NaN; rounded to the type. False, and nothing is
// done, for other types.
bool fill_with_normals(std::byte* data, std::int64_t bytes, program::DType dtype, double scale, bool positive,
                       std::uint64_t key);
bool fill_with_nan(std::byte* data, std::int64_t bytes, program::DType dtype);

std::uint64_t mixed(std::uint64_t a, std::uint64_t b);

}  // namespace tritonrl::runner
