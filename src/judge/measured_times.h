#pragma once

#include <vector>

namespace tritonrl::judge {

// Trials of one program, without the lowest and the highest tenth.
struct TrimmedTimes {
  double mean = 0;  // in the unit of the trials
  double cv = 0;    // standard deviation over mean
  int count = 0;
};
TrimmedTimes trimmed(std::vector<double> trials);

struct Speedup {
  double ratio = 0;          // of the means
  double low = 0, high = 0;  // 95 % interval
  TrimmedTimes reference, candidate;
};
// Both measured in turns. The interval is that of a quotient of means whose errors are small and independent.
Speedup speedup_of(const std::vector<double>& reference, const std::vector<double>& candidate);

}  // namespace tritonrl::judge
