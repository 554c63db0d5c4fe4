#include "tests/cli/run_tritonrl.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "python/interpreter.h"
#include "tests/paths.h"

namespace tritonrl::cli {
namespace {

const std::string kTritonrl = build_path("tritonrl");

base::CommandResult run(std::vector<std::string> command) {
  if (!test_python().empty()) command.insert(command.begin(), {"env", "TRITONRL_PYTHON=" + test_python()});
  const base::CommandResult result = base::run_command(command, std::chrono::minutes(5));
  EXPECT_TRUE(result.started);
  EXPECT_FALSE(result.timed_out);
  return result;
}

}  // namespace

RunTritonrl::RunTritonrl()
    : folder_(std::filesystem::path(::testing::TempDir()) / ("tritonrl_cli_" + std::to_string(::getpid()))) {
  std::filesystem::create_directories(folder_);
}

RunTritonrl::~RunTritonrl() {
  std::filesystem::remove_all(folder_);
}

base::CommandResult RunTritonrl::tritonrl(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {kTritonrl};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(std::move(command));
}

base::CommandResult RunTritonrl::shell(const std::string& script, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"sh", "-c", script, kTritonrl};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(std::move(command));
}

std::string RunTritonrl::file(const std::string& name, std::string_view text) const {
  base::write_file_atomically(folder_ / name, text);
  return (folder_ / name).string();
}

void RunRecorder::SetUp() {
  try {
    python::probe_interpreter(test_python().empty() ? "python3" : test_python());
  } catch (const base::UserError& error) {
    GTEST_SKIP() << error.what();
  }
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace tritonrl::cli
