#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace tritonrl::record {

// The source with the values of its module-level constants (`NAME = value`, alone on a line) replaced: a task at
// another size. UserError for a name that is no such constant.
std::string with_constants(const std::string& source, const std::map<std::string, std::string>& constants);

// Bytes [begin, end) of a task's source.
struct TaskSpan {
  std::size_t begin = 0, end = 0;
  bool operator==(const TaskSpan&) const = default;
};

// The source with other integers in the places of these literals (python::Recorder::integers finds them), everything
// else byte for byte as it was. The order of the spans does not matter; they must lie in the source and not overlap.
std::string with_integers(const std::string& source, std::span<const std::pair<TaskSpan, std::int64_t>> integers);

// The source with three quarters of every plain number that get_inputs gives. Whole ones stay: they may be exponents,
// counts or flags.
std::string with_other_numbers(const std::string& source);

}  // namespace tritonrl::record
