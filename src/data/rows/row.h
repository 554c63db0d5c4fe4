#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace tritonrl::data {

// What a column holds in one row, whatever the file's type: 12, 12.0 and an int32 column's 12 are the same integer, a
// string in a dictionary or a large_string column is a string, and NaN, which pandas writes for what is missing, is
// null. Strings are valid UTF-8.
using Field =
    std::variant<std::monostate /* null */, bool, std::int64_t, double, std::string, std::vector<std::string>>;

struct Row {
  std::map<std::string, Field> fields;  // of the wanted columns that the row has; a null is held as monostate
  bool operator==(const Row&) const = default;
};

}  // namespace tritonrl::data
