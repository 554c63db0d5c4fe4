#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.h"

namespace tritonrl::machine {

struct IrSample {
  std::string name;  // "casts_36_opt": what it shows, Triton's version, before (raw) or after its passes
  std::string text;
};

inline IrSample read_ir_sample(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return {path.stem().string(), text.str()};
}

inline IrSample ir_sample(const std::string& name) {
  return read_ir_sample(std::filesystem::path(source_path("tests/machine/ir")) / (name + ".ttir"));
}

inline std::vector<IrSample> ir_samples() {
  std::vector<IrSample> samples;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("tests/machine/ir"))) {
    if (entry.path().extension() == ".ttir") samples.push_back(read_ir_sample(entry.path()));
  }
  std::sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return samples;
}

}  // namespace tritonrl::machine
