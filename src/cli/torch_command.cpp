#include "cli/torch_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace tritonrl::cli {
namespace {

void become_model_program(const std::string& verb, char** argv) {
  namespace fs = std::filesystem;
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "tritonrl-model";
  if (!fs::exists(program)) {
    throw base::UserError("cli", verb +
                                     " needs tritonrl-model beside this program; build it with a Python that has torch "
                                     "(cmake -DTRITONRL_PYTHON=...) or copy it there");
  }
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
