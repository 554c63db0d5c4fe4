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
#include "cli/interpreter_libraries.h"
#include "cli/preset_files.h"
#include "cli/quickstart_steps.h"
#include "cli/quickstart_summary.h"
#include "cli/shipped_model.h"
#include "sandbox/gpu_access.h"

extern char** environ;

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

struct QuickstartOptions {
  fs::path folder = "quickstart";
  std::string model;
  fs::path module;
  std::int64_t gpu_steps = 0;

  void fields(base::FieldVisitor& field) {
    field("folder", folder, {.help = "where everything goes; the same again goes on where it was stopped"});
    field("model", model, {.help = "folder of the model to begin with (default: the one that is shipped)"});
    field("module", module, {.help = "file with a module of yours, made faster at the end (default: an RMSNorm)"});
    field("gpu_steps", gpu_steps,
          {.help = "steps of fine-tuning where torch has a GPU; 0: as without one", .least = 0});
  }
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

// Whether verbs that run a model will find one.
bool torch_has_gpu() {
  if (sandbox::gpu_devices().empty()) return false;
  const std::string folders = library_folders(MachineOptions());
  return fs::exists(fs::path(folders.substr(0, folders.find(':'))) / "libtorch_cuda.so");
}

// The options of the steps: the user's file, or the one that is inside the program, laid where they can be read and
// changed.
fs::path options_of_steps(const QuickstartOptions& options, const std::string& given) {
  if (!given.empty()) return given;
  const fs::path file = options.folder / "quickstart.toml";
  for (const base::EmbeddedFile& preset : preset_files()) base::write_file_atomically(file, preset.text);
  return file;
}

void complete(QuickstartOptions& options) {
  if (options.model.empty()) options.model = shipped_model();
  if (options.model.empty())
    throw base::UserError("quickstart",
                          "the model that is shipped (models/embedded) is not beside this program; pass "
                          "--model FOLDER");
  if (!fs::is_regular_file(fs::path(options.model) / "config.json"))
    throw base::UserError("quickstart", options.model + ": there is no model; name a folder in Hugging Face's layout");
  if (!options.module.empty() && !fs::is_regular_file(options.module))
    throw base::UserError("quickstart", options.module.string() + ": there is no such file; name one with a module");
}

struct Cost {
  std::string title;
  double seconds, processor_seconds;
};

void print_costs(const std::vector<Cost>& costs) {
  std::cout << "seconds  of processors\n";
  for (const Cost& cost : costs) {
    char line[192];
    std::snprintf(line, sizeof(line), "%7.0f  %13.0f  %s\n", cost.seconds, cost.processor_seconds, cost.title.c_str());
    std::cout << line;
  }
}

int run_quickstart(QuickstartOptions options, const std::string& config) {
  complete(options);
  fs::create_directories(options.folder);
  if (options.module.empty()) options.module = default_module(options.folder);
  const QuickstartPlan plan{.folder = options.folder,
                            .config = options_of_steps(options, config),
                            .model = options.model,
                            .module = options.module,
                            .gpu = torch_has_gpu(),
                            .gpu_steps = options.gpu_steps};
  std::cout << (plan.gpu ? "with the GPU that is here" : "without a GPU") << "; the options of all steps are in "
            << plan.config.string() << ", everything else in " << plan.folder.string() << std::endl;
  const auto began = std::chrono::steady_clock::now();
  const std::vector<QuickstartStep> steps = quickstart_steps(plan);
  std::vector<Cost> costs;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const QuickstartStep& step = steps[i];
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
  std::cout << "\n== what each step added\n" << quickstart_summary(quickstart_evaluations(plan));
  if (fs::exists(quickstart_proof(plan)))
    std::cout << "  " << plan.module.stem().string() << ": " << module_summary(quickstart_proof(plan)) << "\n";
  std::cout << "\n";
  print_costs(costs);
  std::cout << "all of it: " << static_cast<int>(seconds_since(began)) << " s; the report is "
            << quickstart_report(plan).string() << "\n";
  return kDone;
}

}  // namespace

void add_quickstart_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<QuickstartOptions>();
  CLI::App* command = app.add_subcommand(
      "quickstart",
      "everything once, in minutes on a CPU: data, fine-tuning, reinforcement, evaluations, a faster module, "
      "a report");
  declare_fields(*command, *options);
  command->callback([options, command, &exit_code] {
    const CLI::Option* config = command->get_option_no_throw("--config");
    exit_code = run_quickstart(*options, config->count() > 0 ? config->as<std::string>() : "");
  });
}

}  // namespace tritonrl::cli
