// Claims: 1,000 mixed candidates in one batch without a leak, at least 8 a second on two cores for pointwise and row
// tasks, and at least ten times the rate of a new Python with Triton's interpreter for each. No cache of verdicts or
// compilations.
//   bench_judge_rate [CANDIDATES] [WORKERS]
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <string>
#include <thread>

#include "base/files.h"
#include "base/subprocess.h"
#include "bench/candidates.h"
#include "judge/pool.h"
#include "tests/judge/test_funnel.h"
#include "tests/paths.h"
#include "tests/python/process_census.h"

using namespace tritonrl;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

namespace {

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double resident_mib() {
  std::ifstream in("/proc/self/statm");
  double whole = 0, resident = 0;
  in >> whole >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

std::size_t temporary_files() {
  std::size_t out = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(fs::temp_directory_path())) ++out;
  return out;
}

struct Batch {
  double seconds = 0;
  int passed = 0;
  std::map<std::string, int> kinds;
};

Batch judge_all(judge::Judge& judge, std::vector<judge::Submission> submissions, int workers) {
  judge::PoolOptions options;
  options.threads = workers;
  judge::Pool pool(judge, options);
  Batch out;
  const auto begin = Clock::now();
  std::vector<std::future<record::Verdict>> futures;
  for (judge::Submission& one : submissions) futures.push_back(pool.submit(std::move(one)));
  for (auto& future : futures) {
    const record::Verdict verdict = future.get();
    ++out.kinds[std::string(to_string(verdict.kind))];
    out.passed += verdict.kind == record::VerdictKind::kPassed;
  }
  out.seconds = seconds_since(begin);
  return out;
}

void print(const char* name, const Batch& batch, int count) {
  std::printf("%-26s %6.2f candidates/s  ", name, count / batch.seconds);
  for (const auto& [kind, number] : batch.kinds) std::printf(" %s %d", kind.c_str(), number);
  std::printf("\n");
  std::fflush(stdout);
}

// What people do without a judge: a new Python each, Triton's interpreter, the same three calls of forward on five
// inputs at a size that it can bear.
constexpr const char* kInterpreterScript = R"(
import os, re, sys
os.environ['TRITON_INTERPRET'] = '1'
import importlib.util, torch
def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path); m = importlib.util.module_from_spec(spec); spec.loader.exec_module(m); return m
task = load('task', sys.argv[1]); candidate = load('candidate', sys.argv[2])
torch.manual_seed(0); reference = task.Model(*task.get_init_inputs())
torch.manual_seed(0); made = candidate.ModelNew(*task.get_init_inputs())
for i in range(5):
    for call in range(3):
        x = task.get_inputs(); assert torch.allclose(reference(*x), made(*x), atol=1e-4, rtol=1e-4)
)";

// One after the other on each core.
double interpreter_rate(const std::vector<judge::Submission>& submissions, int each, int cores) {
  std::string name = (fs::temp_directory_path() / "judge_rate.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return 0;
  const fs::path folder = name;
  const auto write = [&](const std::string& file, std::string text) {
    for (const char* size : {"4096", "8192"}) {  // the judge's own small sizes
      for (std::size_t at = text.find(size); at != std::string::npos; at = text.find(size)) text.replace(at, 4, "64");
    }
    std::ofstream(folder / file) << text;
    return (folder / file).string();
  };
  std::ofstream(folder / "run.py") << kInterpreterScript;
  const auto begin = Clock::now();
  std::vector<std::thread> threads;
  for (int core = 0; core < cores; ++core) {
    threads.emplace_back([&, core] {
      for (int i = 0; i < each; ++i) {
        const judge::Submission& one =
            submissions[static_cast<std::size_t>((i * cores + core) * 7) % submissions.size()];
        const std::string id = std::to_string(core) + "_" + std::to_string(i);
        base::run_command({test_python(), (folder / "run.py").string(), write("task" + id + ".py", one.task.source),
                           write("candidate" + id + ".py", one.code)});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = seconds_since(begin);
  fs::remove_all(folder);
  return each * cores / seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int workers = argc > 2 ? std::atoi(argv[2]) : 2 * cores;
  const std::size_t files = temporary_files();
  judge::Funnel funnel(judge::test_replayer_options(), {});
  std::vector<judge::Submission> mixed;
  std::vector<judge::Submission> rows = bench::make_candidates("row", count / 2);
  for (judge::Submission& one : bench::make_candidates("pointwise", count - count / 2)) {
    mixed.push_back(std::move(one));
    if (mixed.size() / 2 < rows.size()) mixed.push_back(std::move(rows[mixed.size() / 2]));
  }

  // a fifth first, so that memory is compared between two warm moments
  const std::size_t warm = mixed.size() / 5;
  const Batch first = judge_all(funnel, {mixed.begin(), mixed.begin() + static_cast<std::ptrdiff_t>(warm)}, workers);
  const int descriptors = python::open_descriptors(), processes = python::lasting_descendants();
  const double resident = resident_mib();
  Batch all = judge_all(funnel, {mixed.begin() + static_cast<std::ptrdiff_t>(warm), mixed.end()}, workers);
  const double resident_after = resident_mib();
  all.seconds += first.seconds;
  all.passed += first.passed;
  for (const auto& [kind, number] : first.kinds) all.kinds[kind] += number;
  print("pointwise and row tasks", all, count);
  std::printf(
      "leaks: resident memory %.0f MiB after %zu, %.0f MiB after %d; descriptors %d, then %d; processes %d, then %d; "
      "files in the temporary folder %zu, then %zu\n",
      resident, warm, resident_after, count, descriptors, python::open_descriptors(), processes,
      python::lasting_descendants(), files, temporary_files());
  for (const char* family : {"dot", "convolution"}) {
    const int some = std::max(10, count / 20);
    print(family, judge_all(funnel, bench::make_candidates(family, some), workers), some);
  }
  const double rate = count / all.seconds;
  const double interpreter = interpreter_rate(mixed, 4, cores);
  std::printf("a new Python with Triton's interpreter each: %.2f candidates/s on %d cores; ratio %.0fx\n", interpreter,
              cores, rate / interpreter);
  const bool enough = all.passed * 2 >= count;
  if (!enough) std::printf("FAILED: fewer than half passed\n");
  return enough ? 0 : 1;
}
