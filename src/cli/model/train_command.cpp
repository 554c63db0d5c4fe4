#include <CLI/CLI.hpp>
#include <memory>

#include "base/error.h"
#include "cli/field_options.h"
#include "cli/model/model_commands.h"
#include "cli/model/sft_command.h"

namespace tritonrl::cli {
namespace {

struct TrainCommandOptions {
  std::string stage = "sft";
  SftOptions sft;
  void fields(base::FieldVisitor& field) {
    static constexpr const char* kStages[] = {"sft", "all"};
    field("stage", stage, {.help = "sft, or all: sft, then reinforcement learning", .choices = kStages});
    sft.fields(field);
  }
};

int run_train(const TrainCommandOptions& options) {
  // before hours of the first stage
  if (options.stage == "all")
    throw base::UserError("train",
                          "--stage all needs the stage of reinforcement learning, which is not built yet; "
                          "pass --stage sft");
  return run_sft(options.sft);
}

}  // namespace

void add_train_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<TrainCommandOptions>();
  CLI::App* command = app.add_subcommand("train", "run the stages of training one after the other");
  declare_fields(*command, *options);
  declare_manifest(*command, *options, options->sft.stage);
  command->callback([options, &exit_code] { exit_code = run_train(*options); });
}

}  // namespace tritonrl::cli
