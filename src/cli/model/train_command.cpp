#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <vector>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/model/model_commands.h"
#include "cli/model/sft_command.h"
#include "cli/run_app.h"
#include "train/checkpoint.h"

namespace tritonrl::cli {
namespace {

struct TrainCommandOptions {
  std::string stage = "sft";
  SftOptions sft;
  void fields(base::FieldVisitor& field) {
    static constexpr const char* kStages[] = {"sft", "rl", "all"};
    field(
        "stage", stage,
        {.help = "sft; rl: reinforcement learning, with the options of the table [rl] of --config; all: one after the "
                 "other",
         .choices = kStages});
    sft.fields(field);
  }
};

// As if `tritonrl rl` had been called, with what the stages share.
int run_reinforcement(const TrainCommandOptions& options, const std::string& config) {
  const StageOptions& shared = options.sft.stage;
  std::vector<std::string> words = {"tritonrl", "rl", "--config", config};
  const auto add = [&](const char* option, const std::string& value) { words.insert(words.end(), {option, value}); };
  add("--checkpoints", shared.checkpoints);
  add("--runs", shared.runs);
  add("--device", shared.device);
  add("--dtype", shared.dtype);
  if (shared.threads > 0) add("--threads", std::to_string(shared.threads));
  if (shared.fresh) words.emplace_back("--fresh");
  if (shared.dry_run) words.emplace_back("--dry-run");
  if (options.stage == "rl" && !options.sft.model.empty()) add("--model", options.sft.model);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  CLI::App app;
  int exit_code = kDone;
  add_rl_command(app, exit_code);
  app.require_subcommand(1);
  return run_app(app, static_cast<int>(argv.size()), argv.data(), exit_code);
}

int run_train(const TrainCommandOptions& options, const std::string& config) {
  if (options.stage == "sft") return run_sft(options.sft);
  // before hours of the first stage
  if (config.empty())
    throw base::UserError("train", "--stage " + options.stage +
                                       " takes the options of reinforcement learning from a file: pass --config FILE "
                                       "with a table [rl], whose names are those of `tritonrl rl --help`");
  const std::filesystem::path tuned = options.sft.stage.folder().final_of("sft");
  if (options.stage == "all" && !options.sft.stage.fresh && train::damage_of(tuned).empty()) {
    std::cerr << tuned.string() << " is there already: reinforcement learning goes on from it; pass --fresh to begin "
              << "anew\n";
  } else if (options.stage == "all") {
    if (const int code = run_sft(options.sft); code != kDone) return code;
  }
  return run_reinforcement(options, config);
}

}  // namespace

void add_train_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<TrainCommandOptions>();
  CLI::App* command = app.add_subcommand("train", "run the stages of training one after the other");
  declare_fields(*command, *options);
  declare_manifest(*command, *options, options->sft.stage);
  command->callback([options, command, &exit_code] {
    const CLI::Option* config = command->get_option_no_throw("--config");
    exit_code = run_train(*options, config != nullptr && config->count() > 0 ? config->as<std::string>() : "");
  });
}

}  // namespace tritonrl::cli
