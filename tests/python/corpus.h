#pragma once

#include <map>
#include <string>
#include <vector>

namespace tritonrl::python {

// One pair of tests/python/corpus, or of examples/.
struct CorpusPair {
  std::string name;
  std::string task_file;  // the sources, at their full shapes
  std::string candidate_file;
  std::string task, candidate;
  std::string subject;  // class that the candidate must be recorded as
  std::map<std::string, std::string>
      small;  // constants of the task, and the values that make it small (record::with_constants)
  std::vector<std::string> init_launches, launches;  // kernels in order
  int questions = 0;
};

std::vector<CorpusPair> read_corpus();

}  // namespace tritonrl::python
