#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/files.h"
#include "base/json.h"
#include "base/subprocess.h"
#include "tests/machine/kernel_case.h"
#include "tests/machine/run_kernel_case.h"
#include "tests/paths.h"
#include "tests/python/test_compiler.h"

namespace tritonrl::machine {
namespace {

// The kernels of tests/machine/faults: each is reported with the right kind, line and reason, and the machine lives on.
//   TRITONRL_FAULTS=DIR   faults made before, by make_faults.py

using base::Json;

struct Fault {
  std::string stage, kind, reason;
  program::SourceLine line;  // file -1: none is named
  std::string code;
  bool machine_code = false, completes = false;
  MachineOptions options;
};

Fault fault_of(const Json& json) {
  Fault out;
  out.stage = json.at("stage").text();
  out.kind = json.at("kind").text();
  out.reason = json.at("reason").text();
  out.machine_code = json.at("machine_code").boolean();
  out.completes = json.at("completes").boolean();
  const Json& options = json.at("options");
  out.options.wall_ms = options.value("wall_ms", out.options.wall_ms);
  out.options.value_bytes = options.value("value_bytes", out.options.value_bytes);
  out.options.nan_origin = options.value("nan_origin", false);
  if (!json.at("line").is_null()) {
    out.line = {json["line"]["at"][0].get<int>(), json["line"]["at"][1].get<int>()};
    out.code = json["line"]["code"].text();
  }
  return out;
}

std::string say(const program::SourceLine& at, const std::string& code) {
  return "line " + std::to_string(at.line) + " (" + code + ")";
}

// Empty if the compilation was refused as it must be.
std::string check_refusal(const Fault& fault, const std::vector<python::CompileOutcome>& compiled) {
  for (const python::CompileOutcome& one : compiled) {
    if (one.kind == python::CompileOutcome::Kind::kCompiled) continue;
    if (python::to_string(one.kind) != fault.kind)
      return "refused as " + python::to_string(one.kind) + ": " + one.message;
    if (one.message.find(fault.reason) == std::string::npos) return "another reason: " + one.message;
    if (!(one.at == fault.line))
      return "another line: " + say(one.at, one.code) + " for " + say(fault.line, fault.code);
    return "";
  }
  return "compiled";
}

std::string check_findings(const Fault& fault, const CaseRun& run,
                           const std::vector<python::CompileOutcome>& compiled) {
  if (!run.fault.empty()) return run.fault;
  if (run.launches.empty()) return "nothing ran";
  const std::size_t last = run.launches.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    if (!run.launches[i].findings.empty()) return "found too early: " + run.launches[i].findings[0].message;
  }
  const LaunchOutcome& outcome = run.launches[last];
  if (outcome.completed != fault.completes) return fault.completes ? "the launch was stopped" : "the launch completed";
  std::string others;
  for (const Finding& finding : outcome.findings) {
    const python::KernelText& text = compiled[last].kernel.source;
    const program::SourceLine at = finding.line == 0 ? program::SourceLine{} : text.original(finding.line);
    const bool right = to_string(finding.kind) == fault.kind &&
                       finding.message.find(fault.reason) != std::string::npos && at == fault.line;
    if (right) return "";
    others += "\n    " + to_string(finding.kind) + " at " + say(at, text.code(finding.line)) + ": " + finding.message;
  }
  return "wanted " + fault.kind + " at " + say(fault.line, fault.code) + ": " + fault.reason + "; found" +
         (others.empty() ? " nothing" : others);
}

std::string check_file(const std::filesystem::path& file) {
  const base::Result<KernelCase> kernel_case = load_kernel_case(file);
  if (!kernel_case.ok()) return kernel_case.error();
  const Fault fault = fault_of(Json::parse(base::read_file(file)).at("fault"));
  const std::vector<python::CompileOutcome> compiled =
      compile_launches(kernel_case.value(), python::test_compiler(), fault.machine_code);
  if (fault.stage == "compile") return check_refusal(fault, compiled);
  CaseMemory memory(kernel_case.value());
  return check_findings(fault, run_launches(kernel_case.value(), compiled, memory, fault.options), compiled);
}

TEST(Faults, AreReportedWithKindLineAndReason) {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tritonrl_faults_" + std::to_string(getpid()));
  const char* given = std::getenv("TRITONRL_FAULTS");
  if (given != nullptr) {
    folder = given;
  } else {
    const base::CommandResult made =
        base::run_command({test_python(), "-B", "-W", "ignore", source_path("tests/machine/faults/make_faults.py"),
                           "--out", folder.string()});
    ASSERT_EQ(made.exit_code, 0) << made.output << made.errors;
  }
  const std::vector<std::filesystem::path> files = kernel_case_files(folder);
  EXPECT_GE(files.size(), 45u);
  std::map<std::string, int> right;
  for (const std::filesystem::path& file : files) {
    const auto began = std::chrono::steady_clock::now();
    const std::string wrong = check_file(file);
    EXPECT_EQ(wrong, "") << file.stem().string();
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60)) << file.stem().string();
    if (wrong.empty()) ++right[file.stem().string().substr(0, file.stem().string().find('.'))];
  }
  for (const auto& [family, count] : right) std::printf("%-12s %3d reported\n", family.c_str(), count);
  if (given == nullptr) std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tritonrl::machine
