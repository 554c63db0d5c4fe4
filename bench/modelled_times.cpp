// Claim: modelled times rank kernels, programs and speed-ups as an H200 does. Holds the model against
// bench/data/measured_h200.json (scripts/measure_pairs.py) and fails below a rank correlation of 0.95 for times and 0.8
// for speed-ups. No GPU is needed.
//
// usage: modelled_times [--threads N] [--programs N] [--only NAME] [--plot FILE.svg] [--dump FILE.json]
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "bench/pair_model.h"
#include "bench/rank_correlation.h"
#include "bench/scatter_plot.h"
#include "sandbox/probe.h"
#include "tests/paths.h"
#include "tests/python/test_compiler.h"
#include "tests/python/test_recorder.h"

using namespace tritonrl;

namespace {

constexpr double kLeastOfTimes = 0.95, kLeastOfSpeedups = 0.8;

struct Options {
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  int programs = 32;
  std::string only, dump;
  std::string data = source_path("bench/data/measured_h200.json");
  std::string plot = source_path("docs/modelled_vs_measured.svg");
};

Options read_options(int argc, char** argv) {
  Options out;
  const std::map<std::string, std::string*> texts = {
      {"--only", &out.only}, {"--dump", &out.dump}, {"--data", &out.data}, {"--plot", &out.plot}};
  const std::map<std::string, int*> numbers = {{"--threads", &out.threads}, {"--programs", &out.programs}};
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    const auto text = texts.find(name);
    const auto number = numbers.find(name);
    if (i + 1 == argc || (text == texts.end() && number == numbers.end())) {
      std::fprintf(stderr, "usage: %s [--threads N] [--programs N] [--only NAME] [--data|--plot|--dump FILE]\n",
                   argv[0]);
      std::exit(2);
    }
    if (text != texts.end()) {
      *text->second = argv[i + 1];
    } else {
      *number->second = std::max(1, std::atoi(argv[i + 1]));
    }
  }
  return out;
}

judge::ReplayerOptions replayer_options() {
  judge::ReplayerOptions out;
  out.recorder = python::test_recorder_options();
  out.compiler = python::test_compiler_options();
  out.compiler.cache = build_path("bench_compile_cache");
  out.runner.executable = build_path("tritonrl-runner");
  out.runner.policy.level = out.recorder.policy.level;
  out.runner.policy.wall_ms = 600'000;
  out.runner.policy.cpu_seconds = 600;
  return out;
}

struct Compared {
  std::vector<bench::Point> kernels, references, candidates, speedups;  // x measured, y modelled
  std::map<std::string, std::vector<bench::Point>> kernel_kinds, reference_kinds;
};

void compare(const bench::MeasuredPair& pair, const bench::PairModel& model, Compared& out) {
  for (std::size_t i = 0; i < std::min(pair.kernels.size(), model.kernels.size()); ++i) {
    out.kernels.push_back({pair.kernels[i].microseconds, model.kernels[i], pair.label() + " " + pair.kernels[i].name});
    out.kernel_kinds[model.kernel_kinds[i]].push_back(out.kernels.back());
  }
  out.references.push_back({pair.reference, model.reference, pair.label()});
  out.reference_kinds[model.reference_kind].push_back(out.references.back());
  if (!pair.device_time) return;
  out.candidates.push_back({pair.candidate, model.candidate, pair.label()});
  out.speedups.push_back({pair.reference / pair.candidate, model.reference / model.candidate, pair.label()});
}

double report(const std::string& what, const std::vector<bench::Point>& points) {
  std::vector<double> measured, modelled;
  double off = 0;
  for (const bench::Point& point : points) {
    measured.push_back(point.x);
    modelled.push_back(point.y);
    off += std::abs(std::log(point.y / point.x));
  }
  const double rho = bench::rank_correlation(measured, modelled);
  std::printf("%-26s %4zu   rank correlation %6.3f   off by a factor of %.2f (geometric mean)\n", what.c_str(),
              points.size(), rho, std::exp(off / static_cast<double>(std::max<std::size_t>(1, points.size()))));
  return rho;
}

void print_worst(const char* what, std::vector<bench::Point> points) {
  std::sort(points.begin(), points.end(), [](const bench::Point& a, const bench::Point& b) {
    return std::abs(std::log(a.y / a.x)) > std::abs(std::log(b.y / b.x));
  });
  std::printf("\nfarthest off, %s: modelled / measured\n", what);
  for (std::size_t i = 0; i < std::min<std::size_t>(10, points.size()); ++i) {
    std::printf("  %5.2f  %9.1f / %9.1f  %s\n", points[i].y / points[i].x, points[i].y, points[i].x,
                points[i].label.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  std::vector<bench::MeasuredPair> pairs = bench::read_measured(options.data);
  if (!options.only.empty()) std::erase_if(pairs, [&](const auto& pair) { return pair.name != options.only; });
  std::vector<bench::PairModel> models(pairs.size());
  std::vector<base::Json> dumps(pairs.size());
  judge::Replayer replayer(replayer_options());
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> workers;
  for (int t = 0; t < options.threads; ++t) {
    workers.emplace_back([&] {
      for (std::size_t i = next++; i < pairs.size(); i = next++) {
        try {
          models[i] =
              bench::model_pair(replayer, pairs[i], options.programs, options.dump.empty() ? nullptr : &dumps[i]);
        } catch (const std::exception& error) {
          models[i].problem = error.what();
        }
      }
    });
  }
  for (std::thread& worker : workers) worker.join();

  Compared compared;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (models[i].problem.empty()) {
      compare(pairs[i], models[i], compared);
    } else {
      std::printf("%s: %s\n", pairs[i].label().c_str(), models[i].problem.c_str());
    }
  }
  report("kernels", compared.kernels);
  for (const auto& [kind, points] : compared.kernel_kinds) report("  bound by " + kind, points);
  report("references", compared.references);
  for (const auto& [kind, points] : compared.reference_kinds) report("  mostly " + kind, points);
  report("candidates", compared.candidates);
  std::vector<bench::Point> times = compared.kernels;
  times.insert(times.end(), compared.references.begin(), compared.references.end());
  const double of_times = report("all times", times);
  const double of_speedups = report("speed-ups", compared.speedups);
  print_worst("times", times);
  print_worst("speed-ups", compared.speedups);

  if (!options.dump.empty()) {
    base::Json all = base::Json::array();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      all.push_back(
          {{"name", pairs[i].name}, {"size", pairs[i].size}, {"problem", models[i].problem}, {"model", dumps[i]}});
    }
    base::write_file_atomically(options.dump, all.dump());
  }
  if (options.only.empty()) {
    base::write_file_atomically(
        options.plot,
        bench::scatter_plot(
            {{"Time on an H200",
              "measured, µs",
              "modelled, µs",
              {{"references (ATen)", "#c2571a", compared.references},
               {"kernels (Triton)", "#2a6fb0", compared.kernels}}},
             {"Speed-up of the candidate", "measured", "modelled", {{"pairs", "#3a7d44", compared.speedups}}}}));
  }
  return of_times >= kLeastOfTimes && of_speedups >= kLeastOfSpeedups ? 0 : 1;
}
