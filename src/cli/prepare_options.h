#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/judge_options.h"
#include "cli/machine.h"
#include "data/prepare/prepare.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// Where KernelBook is published: the source where none is named.
inline constexpr const char* kKernelBook = "GPUMODE/KernelBook";

struct PrepareArguments {
  std::vector<std::string> sources;  // files, folders and data sets of the hub
  data::PrepareOptions prepare;      // `sources` is filled once the hub's are here
  std::string tokenizer;             // a model or a folder with tokenizer.json; empty: Python's tokens are counted
  bool verify = false;
  std::string families = "fusions=3,singles=1,rewrites=6";
  std::string policy = "kernelbench", variants = "canonical";  // also "both"; `judge.policy` is set of it
  std::string write_fragments;                                 // a file: what of the answers could be single tokens
  std::string write_hashes;  // a file: nothing is prepared, the sources' hashes are written
  bool json = false, quiet = false;
  judge::JudgeOptions judge;
  CacheOptions cache;
  MachineOptions machine;
};

void declare(CLI::App& command, PrepareArguments& arguments);

// The options of the run, but for `sources`. UserError for what CLI11 cannot check.
data::PrepareOptions prepare_options(const PrepareArguments& arguments);

}  // namespace tritonrl::cli
