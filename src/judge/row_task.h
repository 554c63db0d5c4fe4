#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "judge/replay.h"
#include "judge/size_search.h"
#include "record/task.h"

namespace tritonrl::judge {

// A task whose results do not depend on one another along one of its constants (a batch, the rows of a product): the
// reference on some rows of the real inputs gives those rows of the real outputs, at a part of the cost.
struct RowTask {
  std::int64_t count = 0;            // rows at the real sizes
  std::vector<int> inputs, outputs;  // by tensor: its dimension of rows; -1: all rows share it

  // The reference on so many rows.
  struct Narrow {
    std::int64_t rows = 0;
    program::Program reference;
    CompiledProgram compiled;
  };
  std::vector<Narrow> sizes;  // ascending

  // Parameters and buffers that start as constants, with other contents: none where the reference takes no others.
  std::vector<GivenState> state;
};

// The task with another value for one of its constants, as text.
using ResizeOne = std::function<record::Task(const SizeConstant& constant, std::int64_t value)>;

struct RowSearch {
  const program::Program* reference = nullptr;  // at the real sizes
  std::vector<SizeConstant> constants;
  ResizeOne resized;
  python::RecordRequest request;  // how the reference is recorded
  std::uint64_t seed = 0;
};

// None where no constant is one of rows, or one row alone is too much to compute. Independence is shown by example:
// rows computed in the company of others are the same alone.
std::optional<RowTask> find_rows(Replayer& replayer, RowSearch search);

}  // namespace tritonrl::judge
