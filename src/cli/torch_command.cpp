#include "cli/torch_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/loader_path.h"
#include "cli/config_file.h"
#include "cli/interpreter_libraries.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(char** argv) {
  std::vector<std::string> out;
  for (char** word = argv + 1; *word != nullptr; ++word) out.emplace_back(*word);
  return out;
}

// Verbs that run Python have the option; the others are told by the environment.
std::string python_of(const std::vector<std::string>& words) {
  constexpr std::string_view kName = "--python";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kName && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with("--python=")) return words[i].substr(kName.size() + 1);
  }
  return config_text(words, kName.substr(2));
}

void become_model_program(const std::string& verb, char** argv) {
  const fs::path program = model_program();
  if (!fs::exists(program)) {
    throw base::UserError("cli", verb +
                                     " needs tritonrl-model beside this program; build it with a Python that has torch "
                                     "(cmake -DTRITONRL_PYTHON=...) or copy it there");
  }
  MachineOptions machine;
  machine.python = python_of(words_of(argv));
  base::set_loader_path(library_folders(machine));
  ::execv(program.c_str(), argv);
  throw base::InfrastructureError("cli", base::system_message(program.string()));
}

void add(CLI::App& app, char** argv, const std::string& verb, const std::string& summary) {
  CLI::App* command = app.add_subcommand(verb, summary);
  command->set_help_flag();  // the other program knows the options
  command->prefix_command();
  command->callback([verb, argv] { become_model_program(verb, argv); });
}

}  // namespace

std::string model_program() {
  return fs::read_symlink("/proc/self/exe").parent_path() / "tritonrl-model";
}

void add_torch_commands(CLI::App& app, char** argv) {
  add(app, argv, "eval", "rates of a model's answers to tasks, by the judge");
  add(app, argv, "generate", "sample answers of a model to a prompt or a task");
  add(app, argv, "merge", "write a model with a LoRA adapter merged into it");
  add(app, argv, "optimize", "a PyTorch module in, the fastest proven kernel out");
  add(app, argv, "pretrain", "train a small model from scratch: tokenizer, model and pairs from the generator");
  add(app, argv, "rl", "reinforce a model on tasks by executed rewards: best-of-N or GRPO");
  add(app, argv, "sft", "fine-tune a model on a file of pairs: a LoRA adapter or all parameters");
  add(app, argv, "train", "run the stages of training one after the other");
}

bool add_model_server(CLI::App& app, int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool wanted = std::find(words.begin(), words.end(), "serve") != words.end() &&
                      std::any_of(words.begin(), words.end(), [](const std::string& word) {
                        return word == "--model" || word.starts_with("--model=");
                      });
  if (wanted) add(app, argv, "serve", "the judge and a model over HTTP");
  return wanted;
}

}  // namespace tritonrl::cli
