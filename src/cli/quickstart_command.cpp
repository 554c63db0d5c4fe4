#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/shipped_model.h"

extern char** environ;

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

struct QuickstartOptions {
  fs::path folder = "quickstart";
  std::string model;
  fs::path module;
  std::int64_t questions = 100;
  std::int64_t sft_steps = 48;
  std::int64_t rounds = 2;
  std::int64_t round_tasks = 10;
  std::uint64_t seed = 1;

  void fields(base::FieldVisitor& field) {
    field("folder", folder, {.help = "where everything goes; the same again goes on where it was stopped"});
    field("model", model, {.help = "folder of the model to begin with (default: the one that is shipped)"});
    field("module", module, {.help = "file with a module of yours, made faster at the end (default: an RMSNorm)"});
    field("questions", questions, {.help = "held-out tasks that are asked after every step", .least = 1});
    field("sft_steps", sft_steps, {.help = "of fine-tuning, 4096 tokens each", .least = 1});
    field("rounds", rounds, {.help = "of best-of-N", .least = 1});
    field("round_tasks", round_tasks, {.help = "tasks of each", .least = 1});
    field("seed", seed, {.help = "of data, order and answers"});
  }
};

// One verb of this program, run as a person would.
struct Step {
  std::string title;
  fs::path done;  // the file or folder that it leaves: there, it is not run again
  Words words;
};

double seconds_since(std::chrono::steady_clock::time_point from) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

// Of the processes that ended: what a step cost, however busy the machine was.
double processor_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Its exit code.
int run_verb(const Words& words) {
  Words all = {fs::read_symlink("/proc/self/exe").string()};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (const int problem = ::posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), environ); problem != 0)
    throw base::InfrastructureError("quickstart",
                                    "cannot start " + all[0] + ": " + std::generic_category().message(problem));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// How the shipped model's pairs were worded: what is made here is worded alike.
const Words kWording = {"--prompt", "short", "--facts", "values", "--names", "counted"};

Words joined(std::initializer_list<Words> parts) {
  Words out;
  for (const Words& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

// With operators that the shipped model has never seen; a fifth of their compositions is kept for the questions.
Words prepare_words(const QuickstartOptions& options, const fs::path& data) {
  return joined(
      {{"prepare", "--generate", "3000", "--held-out-operators", "--seed", std::to_string(options.seed + 4),
        "--validation", "0", "--test", "0.2", "--plan", "lines", "--styles", "real", "--quiet", "--out", data},
       kWording});
}

std::vector<Step> steps_of(const QuickstartOptions& options) {
  const fs::path& folder = options.folder;
  const fs::path data = folder / "data", checkpoints = folder / "checkpoints", runs = folder / "runs";
  const fs::path sft = checkpoints / "sft_final", rl = checkpoints / "rl_final";
  const auto result = [&](const char* name) { return folder / (std::string("eval_") + name + ".json"); };
  const auto ask = [&](const char* name, const std::string& title, const fs::path& model) {
    return Step{.title = title,
                .done = result(name),
                .words = joined({{"eval", "--model", model, "--tasks", data, "--split", "test", "--num-tasks",
                                  std::to_string(options.questions), "--task-seed", "1", "--temperature", "0",
                                  "--max-new-tokens", "1500", "--name", name, "--out", result(name)},
                                 kWording})};
  };
  const std::string questions = std::to_string(options.questions) + " held-out tasks";
  std::vector<Step> out;
  out.push_back({.title = "data: modules with operators that the model has never seen, and kernels for them",
                 .done = data / "sft_train.jsonl",
                 .words = prepare_words(options, data)});
  out.push_back(ask("base", "the model as it is, on " + questions, options.model));
  out.push_back({.title = "fine-tuning on the pairs",
                 .done = sft,
                 .words = {"sft",
                           "--model",
                           options.model,
                           "--all-parameters",
                           "--data",
                           data / "sft_train.jsonl",
                           "--steps",
                           std::to_string(options.sft_steps),
                           "--batch-tokens",
                           "4096",
                           "--pass-tokens",
                           "2048",
                           "--longest",
                           "2048",
                           "--learning-rate",
                           "4e-5",
                           "--warmup",
                           "0.2",
                           "--seed",
                           std::to_string(options.seed),
                           "--checkpoints",
                           checkpoints,
                           "--runs",
                           runs}});
  out.push_back(ask("sft", "the fine-tuned model on the same tasks", sft));
  out.push_back(
      {.title = "best-of-N: the model answers tasks without solutions, the judge executes, the best are imitated",
       .done = rl,
       .words = joined({{"rl",
                         "--model",
                         sft,
                         "--all-parameters",
                         "--tasks",
                         data,
                         "--split",
                         "train",
                         "--num-tasks",
                         "1000",
                         "--rounds",
                         std::to_string(options.rounds),
                         "--round-tasks",
                         std::to_string(options.round_tasks),
                         "--samples",
                         "6",
                         "--max-new-tokens",
                         "1500",
                         "--longest",
                         "4096",
                         "--batch-tokens",
                         "8192",
                         "--learning-rate",
                         "1e-4",
                         "--seed",
                         std::to_string(options.seed),
                         "--checkpoints",
                         checkpoints,
                         "--runs",
                         runs},
                        kWording})});
  out.push_back(ask("rl", "the model after best-of-N, on the same tasks", rl));
  const fs::path faster = folder / "optimized.py";
  out.push_back({.title = "a faster " + options.module.stem().string(),
                 .done = faster,
                 .words = {"optimize", options.module, "--model", rl, "--out", faster, "--even-slower"}});
  out.push_back({.title = "what each step added",
                 .done = {},
                 .words = {"eval", "--compare", result("base"), result("sft"), result("rl")}});
  out.push_back({.title = "report",
                 .done = {},
                 .words = {"report", runs / "sft", runs / "rl", "--eval", result("base"), result("sft"), result("rl"),
                           "--out", folder / "report.html"}});
  return out;
}

// A module to make faster, where the user has none.
fs::path default_module(const fs::path& folder) {
  const fs::path file = folder / "rms_norm.py";
  base::write_file_atomically(file, R"(import torch
import torch.nn as nn


class RMSNorm(nn.Module):
    def __init__(self, width=1024):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


def get_inputs():
    return [torch.randn(4096, 1024)]


def get_init_inputs():
    return [1024]
)");
  return file;
}

int run_quickstart(QuickstartOptions options) {
  if (options.model.empty()) options.model = shipped_model();
  if (options.model.empty())
    throw base::UserError("quickstart",
                          "the model that is shipped (models/embedded) is not beside this program; pass "
                          "--model FOLDER");
  if (!fs::is_regular_file(fs::path(options.model) / "config.json"))
    throw base::UserError("quickstart", options.model + ": there is no model; name a folder in Hugging Face's layout");
  if (!options.module.empty() && !fs::is_regular_file(options.module))
    throw base::UserError("quickstart", options.module.string() + ": there is no such file; name one with a module");
  fs::create_directories(options.folder);
  if (options.module.empty()) options.module = default_module(options.folder);
  const auto began = std::chrono::steady_clock::now();
  const std::vector<Step> steps = steps_of(options);
  struct Cost {
    std::string title;
    double seconds, processor_seconds;
  };
  std::vector<Cost> costs;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    std::cout << "\n== " << i + 1 << " of " << steps.size() << ": " << step.title << std::endl;
    if (!step.done.empty() && fs::exists(step.done)) {
      std::cout << step.done.string() << " is there already" << std::endl;
      continue;
    }
    const auto step_began = std::chrono::steady_clock::now();
    const double processor_before = processor_seconds();
    const int code = run_verb(step.words);
    costs.push_back({step.title, seconds_since(step_began), processor_seconds() - processor_before});
    // 1: the answer is no, which is an answer
    if (code > kAnswerIsNo) {
      std::cerr << "tritonrl: stopped in step " << i + 1 << "; the same command goes on from there\n";
      return code;
    }
  }
  std::cout << "\n";
  std::cout << "seconds  of processors\n";
  for (const Cost& cost : costs) {
    char line[192];
    std::snprintf(line, sizeof(line), "%7.0f  %13.0f  %s\n", cost.seconds, cost.processor_seconds, cost.title.c_str());
    std::cout << line;
  }
  std::cout << "all of it: " << static_cast<int>(seconds_since(began)) << " s; the report is "
            << (options.folder / "report.html").string() << "\n";
  return kDone;
}

}  // namespace

void add_quickstart_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<QuickstartOptions>();
  CLI::App* command = app.add_subcommand(
      "quickstart",
      "everything once, in minutes on a CPU: data, fine-tuning, best-of-N, evaluations, a faster module, "
      "a report");
  declare_fields(*command, *options);
  command->callback([options, &exit_code] { exit_code = run_quickstart(*options); });
}

}  // namespace tritonrl::cli
