// Claim: the machine runs kernels at least 20 times as fast as Triton's interpreter (geometric mean), every access
// checked and counted, with the same results. Both sides have one thread; times are processor time of the fastest run.
//   bench_interpreter_speed [PYTHON]

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "base/subprocess.h"
#include "machine/ir/reader.h"
#include "machine/machine.h"
#include "peer_run.h"
#include "tests/paths.h"

using namespace tritonrl;
namespace fs = std::filesystem;

namespace {

using bench::give_up;
using bench::processor_seconds;
using bench::TemporaryFolder;

constexpr double kEnoughSeconds = 1;
constexpr int kLeastRuns = 3;
constexpr double kTolerance = 1e-4;  // of a float32 result, absolute and relative

// The arrays of a launch in an address space of their own, as they are before it.
struct Arrays {
  std::vector<std::string> data;
  std::vector<machine::Argument> arguments;
  machine::Memory memory;
  std::size_t result = 0;

  Arrays(const base::Json& kernel, const fs::path& folder) {
    const std::string name = kernel["name"].text();
    data.reserve(kernel["arguments"].size());
    for (const base::Json& argument : kernel["arguments"]) {
      const std::string of = argument["name"].text();
      if (argument.contains("integer")) {
        arguments.emplace_back(argument["integer"].get<std::int64_t>());
      } else if (argument.contains("float")) {
        arguments.emplace_back(argument["float"].get<double>());
      } else {
        const bool is_result = of == kernel["result"].get<std::string>();
        if (is_result) result = data.size();
        data.push_back(is_result ? std::string(argument["bytes"].get<std::size_t>(), '\xa5')
                                 : base::read_file(folder / (name + "." + of + ".bin")));
        const int index = memory.add(reinterpret_cast<std::byte*>(data.back().data()),
                                     static_cast<std::int64_t>(data.back().size()), of, !is_result);
        arguments.emplace_back(machine::PointerArgument{memory.at(index).address});
      }
    }
  }
};

void expect_equal(const std::string& name, const std::string& got, const std::string& wanted) {
  if (got.size() != wanted.size()) give_up(name + ": the results differ in size");
  for (std::size_t i = 0; i + 4 <= got.size(); i += 4) {
    float ours = 0, theirs = 0;
    std::memcpy(&ours, got.data() + i, 4);
    std::memcpy(&theirs, wanted.data() + i, 4);
    if (!(std::fabs(ours - theirs) <= kTolerance * (1 + std::fabs(theirs)))) {
      give_up(name + ": element " + std::to_string(i / 4) + " is " + std::to_string(ours) + ", the interpreter's " +
              std::to_string(theirs));
    }
  }
}

double machine_seconds(const base::Json& description, const fs::path& folder, const fs::path& source) {
  const std::string name = description["name"].text();
  base::Result<machine::Module> module = machine::read_ir(base::read_file(folder / (name + ".ttir")));
  if (!module.ok()) give_up(name + ": " + module.error());
  const base::Result<machine::Kernel> kernel = machine::Kernel::make(std::move(module).value(), source.string());
  if (!kernel.ok()) give_up(name + ": " + kernel.error());
  const std::string wanted = base::read_file(folder / (name + ".result.bin"));

  double best = INFINITY, total = 0;
  for (int runs = 0; runs < kLeastRuns || total < kEnoughSeconds; ++runs) {
    Arrays arrays(description, folder);
    const double begin = processor_seconds();
    const machine::LaunchOutcome outcome =
        kernel.value().launch(description["grid"].get<std::array<std::int64_t, 3>>(), arrays.arguments, arrays.memory);
    const double seconds = processor_seconds() - begin;
    if (!outcome.completed || !outcome.findings.empty()) {
      give_up(name + ": " + (outcome.findings.empty() ? "not completed" : outcome.findings.back().message));
    }
    if (runs == 0) expect_equal(name, arrays.data[arrays.result], wanted);
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

void compare(const std::string& python) {
  const fs::path script = source_path("bench/interpreter_kernels.py");
  const TemporaryFolder folder("interpreter_speed");
  const base::CommandResult ran =
      base::run_command({python, "-B", script.string(), folder.path.string()}, std::chrono::minutes(10));
  if (!ran.started || ran.exit_code != 0) give_up("the interpreter's part failed: " + ran.errors);
  const base::Json about = base::Json::parse(base::read_file(folder.path / "kernels.json"));

  std::printf("Triton %s, one thread\n", about["triton"].get<std::string>().c_str());
  std::printf("%-14s %16s %12s %8s\n", "kernel", "interpreter ms", "machine ms", "ratio");
  double logarithms = 0;
  for (const base::Json& kernel : about["kernels"]) {
    const double theirs = kernel["ms"].real(), ours = 1e3 * machine_seconds(kernel, folder.path, script);
    std::printf("%-14s %16.2f %12.3f %7.1fx\n", kernel["name"].get<std::string>().c_str(), theirs, ours, theirs / ours);
    std::fflush(stdout);
    logarithms += std::log(theirs / ours);
  }
  std::printf("geometric mean %.1fx\n", std::exp(logarithms / static_cast<double>(about["kernels"].size())));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    compare(argc > 1 ? argv[1] : test_python());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
