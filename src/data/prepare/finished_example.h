#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "data/prepare/benchmark_hashes.h"
#include "data/prepare/example_reader.h"
#include "data/prepare/labeller.h"
#include "data/prepare/prepared_files.h"

namespace tritonrl::data {

// What became of one row: the lines that are written and what is counted.
struct FinishedExample {
  std::vector<std::pair<PreparedFiles::File, std::string>> lines;
  std::function<void(Statistics&)> count;
  bool kept = false;
  bool is_row = true;  // ReadExample's
};

FinishedExample left_out(const ReadExample& item, const RowProblem& problem);

// `item` has an example. Decontaminates, verifies, splits, and words prompt and answer.
FinishedExample finish_example(const ReadExample& item, const Labelled& labelled, const PrepareOptions& options,
                               const PrepareTools& tools, const BenchmarkHashes& hashes);

}  // namespace tritonrl::data
