#pragma once

#include <cstdint>
#include <string_view>

namespace arrow {
class Array;
}

namespace tritonrl::data {

class RowBuilder;

// Sets the column to what the array holds at `index`, whichever of Arrow's types that is; those that are no text,
// number, truth value or list of texts spoil the row. The array was read from a file that nobody vouches for.
void set_field(const arrow::Array& array, std::int64_t index, std::string_view column, RowBuilder& builder);

}  // namespace tritonrl::data
