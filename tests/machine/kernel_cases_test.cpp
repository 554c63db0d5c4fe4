#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <thread>

#include "base/subprocess.h"
#include "tests/machine/kernel_case.h"
#include "tests/machine/run_kernel_case.h"
#include "tests/paths.h"
#include "tests/python/test_compiler.h"

namespace tritonrl::machine {
namespace {

// The corpus of tests/machine/kernels: every kernel gives what numpy and Triton's interpreter give (and a GPU, where
// its results were recorded), with every access in bounds, without a race, without a read of what nobody wrote.
//   TRITONRL_CASES=DIR       cases made before, by make_cases.py
//   TRITONRL_CASE=TEXT       those whose name contains it
//   TRITONRL_CASES_TABLE=1   a line for each case

class CasesFolder {
 public:
  CasesFolder() {
    if (const char* given = std::getenv("TRITONRL_CASES")) {
      path_ = given;
      return;
    }
    path_ = std::filesystem::temp_directory_path() / ("tritonrl_cases_" + std::to_string(getpid()));
    const base::CommandResult made =
        base::run_command({test_python(), "-B", "-W", "ignore", source_path("tests/machine/kernels/make_cases.py"),
                           "--out", path_.string()},
                          std::chrono::minutes(8));
    error_ = made.exit_code == 0 ? "" : made.output + made.errors;
    temporary_ = true;
  }
  ~CasesFolder() {
    std::error_code ignored;
    if (temporary_) std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  const std::string& error() const { return error_; }

 private:
  std::filesystem::path path_;
  std::string error_;
  bool temporary_ = false;
};

struct Summary {
  int cases = 0, failed = 0;
  std::map<std::string, double> worst;  // by who expects
  double compile_ms = 0, run_ms = 0;
};

std::string describe(const Finding& finding, const python::CompileOutcome& compiled) {
  const program::SourceLine at = compiled.kernel.source.original(finding.line);
  return to_string(finding.kind) + " at line " + std::to_string(at.line) + " (" +
         compiled.kernel.source.code(finding.line) + "): " + finding.message;
}

// What is wrong with the results, or with the launches; empty if nothing is.
std::string check_run(const KernelCase& kernel_case, const std::vector<python::CompileOutcome>& compiled,
                      const MachineOptions& options, Summary& summary) {
  CaseMemory memory(kernel_case);
  const CaseRun run = run_launches(kernel_case, compiled, memory, options);
  summary.run_ms += run.milliseconds;
  std::string faults = run.fault;
  for (std::size_t i = 0; i < run.launches.size(); ++i) {
    for (const Finding& finding : run.launches[i].findings) faults += "\n    " + describe(finding, compiled[i]);
    if (!run.launches[i].completed) faults += "\n    launch " + std::to_string(i) + " did not complete";
  }
  if (!faults.empty()) return faults;
  for (const Expected& expected : kernel_case.expected) {
    const Distance far = distance(memory.bytes(expected.storage), expected);
    double& worst = summary.worst[expected.from];
    worst = std::max(worst, far.ratio);
    if (far.ratio <= 1) continue;
    char text[256];
    std::snprintf(text, sizeof(text),
                  "\n    %s: storage %d (%s) element %lld is %.9g, not %.9g: %.3g times what is allowed",
                  expected.from.c_str(), expected.storage, std::string(program::to_string(expected.dtype)).c_str(),
                  static_cast<long long>(far.at), far.got, far.wanted, far.ratio);
    faults += text;
  }
  return faults;
}

std::string check_case(const KernelCase& kernel_case, Summary& summary) {
  const std::vector<python::CompileOutcome> compiled = compile_launches(kernel_case, python::test_compiler());
  for (const python::CompileOutcome& one : compiled) summary.compile_ms += one.milliseconds;
  const std::string faults = check_run(kernel_case, compiled, {}, summary);
  if (!faults.empty()) return faults;
  Summary not_counted;
  const std::string threaded = check_run(kernel_case, compiled, {.threads = 4}, not_counted);
  return threaded.empty() ? "" : "with four threads: " + threaded;
}

void print(const std::map<std::string, Summary>& families) {
  std::printf("%-16s %5s %6s %11s %11s %11s %11s %9s\n", "family", "cases", "failed", "reference", "interpreter", "gpu",
              "compile ms", "run ms");
  for (const auto& [name, one] : families) {
    std::printf("%-16s %5d %6d", name.c_str(), one.cases, one.failed);
    for (const char* from : {"reference", "interpreter", "gpu"}) {
      const auto found = one.worst.find(from);
      if (found == one.worst.end()) {
        std::printf(" %11s", "-");
      } else {
        std::printf(" %11.3g", found->second);
      }
    }
    std::printf(" %11.0f %9.1f\n", one.compile_ms, one.run_ms);
  }
}

void add(Summary& total, const Summary& one) {
  total.cases += one.cases;
  total.failed += one.failed;
  total.compile_ms += one.compile_ms;
  total.run_ms += one.run_ms;
  for (const auto& [from, worst] : one.worst) total.worst[from] = std::max(total.worst[from], worst);
}

TEST(KernelCases, GiveWhatIsExpectedWithoutFindings) {
  const CasesFolder folder;
  ASSERT_EQ(folder.error(), "");
  const char* wanted = std::getenv("TRITONRL_CASE");
  const bool table = std::getenv("TRITONRL_CASES_TABLE") != nullptr;
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& file : kernel_case_files(folder.path())) {
    if (wanted == nullptr || file.stem().string().find(wanted) != std::string::npos) files.push_back(file);
  }
  if (wanted == nullptr) {
    EXPECT_GE(files.size(), 350u);
  }

  python::test_compiler();  // before threads
  std::map<std::string, Summary> families;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) {
      const base::Result<KernelCase> kernel_case = load_kernel_case(files[i]);
      Summary one;
      one.cases = 1;
      const std::string fault = kernel_case.ok() ? check_case(kernel_case.value(), one) : kernel_case.error();
      one.failed = fault.empty() ? 0 : 1;
      const std::lock_guard lock(mutex);
      if (!fault.empty()) ADD_FAILURE() << files[i].stem().string() << ": " << fault;
      if (table) print({{files[i].stem().string(), one}});
      if (kernel_case.ok()) add(families[kernel_case.value().family], one);
      add(families["all"], one);
    }
  };
  std::vector<std::thread> threads;  // most of the time is compilation, in processes of its own
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  print(families);
}

Expected floats(std::vector<float> values, double rtol, double atol) {
  Expected out{.from = "", .storage = 0, .dtype = program::DType::kFloat32, .bytes = {}, .rtol = rtol, .atol = atol};
  out.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return out;
}

TEST(Distance, IsTheErrorInMultiplesOfWhatIsAllowed) {
  const Expected wanted = floats({1.0f, 100.0f}, 0.01, 0.0);
  EXPECT_EQ(distance(wanted.bytes, wanted).ratio, 0);
  EXPECT_NEAR(distance(floats({1.0f, 102.0f}, 0, 0).bytes, wanted).ratio, 2, 1e-6);
  EXPECT_EQ(distance(floats({1.0f, 102.0f}, 0, 0).bytes, wanted).at, 1);
}

TEST(Distance, IsInfiniteWhereOnlyOneSideIsANumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const Expected wanted = floats({nan, inf, 1.0f}, 0.1, 0.1);
  EXPECT_EQ(distance(floats({nan, inf, 1.0f}, 0, 0).bytes, wanted).ratio, 0);
  EXPECT_EQ(distance(floats({0.0f, inf, 1.0f}, 0, 0).bytes, wanted).ratio, std::numeric_limits<double>::infinity());
  EXPECT_EQ(distance(floats({nan, -inf, 1.0f}, 0, 0).bytes, wanted).ratio, std::numeric_limits<double>::infinity());
  EXPECT_EQ(distance(floats({nan, inf, nan}, 0, 0).bytes, wanted).ratio, std::numeric_limits<double>::infinity());
}

TEST(Distance, ForgivesIntegersNothing) {
  Expected wanted{
      .from = "", .storage = 0, .dtype = program::DType::kInt64, .bytes = std::string(8, '\0'), .rtol = 1, .atol = 9};
  std::string got = wanted.bytes;
  got[0] = 1;
  EXPECT_EQ(distance(wanted.bytes, wanted).ratio, 0);
  EXPECT_EQ(distance(got, wanted).ratio, std::numeric_limits<double>::infinity());
}

TEST(Distance, ReadsNarrowFloats) {
  struct Row {
    program::DType dtype;
    std::string bytes;
    double value;
  };
  for (const Row& row :
       {Row{program::DType::kFloat16, {"\x00\x3E", 2}, 1.5}, Row{program::DType::kBFloat16, {"\x40\xC0", 2}, -3},
        Row{program::DType::kFloat8E4M3Fn, {"\x7E", 1}, 448}, Row{program::DType::kFloat8E5M2, {"\x7B", 1}, 57344},
        Row{program::DType::kFloat8E4M3Fn, {"\x01", 1}, 1.0 / 512}}) {
    const Expected zero{.from = "",
                        .storage = 0,
                        .dtype = row.dtype,
                        .bytes = std::string(row.bytes.size(), '\0'),
                        .rtol = 0,
                        .atol = 1};
    EXPECT_EQ(distance(row.bytes, zero).got, row.value);
    EXPECT_EQ(distance(row.bytes, zero).ratio, std::abs(row.value));
  }
}

}  // namespace
}  // namespace tritonrl::machine
