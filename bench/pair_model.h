#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "judge/replay.h"

namespace tritonrl::bench {

struct MeasuredKernel {
  std::string name;
  double microseconds = 0;
};

// A row of bench/data/measured_*.json, as scripts/measure_pairs.py writes it.
struct MeasuredPair {
  std::string name;
  std::string size;                              // "full", "quarter"
  std::map<std::string, std::string> constants;  // of the task, that make this size
  double reference = 0, candidate = 0;           // microseconds
  bool device_time = true;                       // of the candidate: no time of the host in it
  std::vector<MeasuredKernel> kernels;           // launches of one forward, in order; the first dozen

  std::string label() const { return name + " " + size; }
};

std::vector<MeasuredPair> read_measured(const std::string& file);

// The same times as the model has them, in microseconds.
struct PairModel {
  double reference = 0, candidate = 0;
  std::vector<double> kernels;
  std::string reference_kind;             // kind of the operator that takes most of the reference's time
  std::vector<std::string> kernel_kinds;  // what bounds each kernel
  std::string problem;                    // why there are none
};

// Records and compiles the pair, and executes `programs` programs of each launch and variant. `dump`, unless null: gets
// all that the model knew.
PairModel model_pair(judge::Replayer& replayer, const MeasuredPair& pair, int programs, base::Json* dump);

}  // namespace tritonrl::bench
