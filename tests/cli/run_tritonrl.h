#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/subprocess.h"
#include "tests/paths.h"

namespace tritonrl::cli {

// A task that any command can take; its forward is in line 5.
inline constexpr const char* kSmallTask = R"(import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def get_inputs():
    return [torch.rand(4, 8)]
)";

// A test that runs the built program in a folder of its own for files.
class RunTritonrl : public ::testing::Test {
 protected:
  RunTritonrl();
  ~RunTritonrl() override;

  // `tritonrl arguments…` with the interpreter of the tests.
  static base::CommandResult tritonrl(const std::vector<std::string>& arguments);
  // `sh -c script program arguments…`: the program is "$0" there.
  static base::CommandResult shell(const std::string& script, const std::vector<std::string>& arguments);

  // Writes a file into the folder; its path.
  std::string file(const std::string& name, std::string_view text) const;
  std::string folder() const { return folder_.string(); }

 private:
  const std::filesystem::path folder_;
};

// The same, skipped where the interpreter cannot record.
class RunRecorder : public RunTritonrl {
 protected:
  void SetUp() override;
};

bool contains(std::string_view text, std::string_view part);
std::vector<std::string> lines_of(const std::string& text);

}  // namespace tritonrl::cli
