#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/model/companion_files.h"
#include "cli/model/loaded_model.h"
#include "cli/model/model_commands.h"
#include "model/save_model.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

struct MergeCommandOptions {
  std::string model;
  std::string adapter;
  std::string out;
  bool any_base = false;
};

void require_new_folder(const std::string& out) {
  const auto refuse = [&](const std::string& problem) {
    throw base::UserError("merge", "--out " + out + " " + problem + "; name a new folder");
  };
  std::error_code failure;
  const fs::file_status found = fs::status(out, failure);
  if (failure && found.type() != fs::file_type::not_found) refuse("cannot be looked at: " + failure.message());
  if (found.type() == fs::file_type::not_found) {
    // A path through a plain file, or one that may not be written, is found out now.
    fs::create_directories(out, failure);
    if (failure) refuse("cannot be made: " + failure.message());
    fs::remove(out, failure);
  } else if (found.type() != fs::file_type::directory) {
    refuse("is a file");
  } else if (!fs::is_empty(out, failure) || failure) {
    refuse("is not empty");
  }
}

int run_merge(const MergeCommandOptions& options) {
  require_new_folder(options.out);  // before anything is downloaded or loaded
  const weights::ModelLocation location = locate_model(options.model);
  const auto model = model::Transformer::load(weights::open_model(location), {});
  model::load_adapter(*model, options.adapter, adapter_options(options.any_base));
  model::save_model(*model, options.out);
  write_companions(location, model->config(), Companions::kAll, options.out);
  std::cerr << "merged " << options.adapter << " into " << options.model << ": " << options.out << "\n";
  return kDone;
}

}  // namespace

void add_merge_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MergeCommandOptions>();
  CLI::App* command = app.add_subcommand("merge", "write a model with a LoRA adapter merged into it");
  command
      ->add_option("--model", options->model,
                   "folder in Hugging Face's layout, .gguf file, or owner/name on the hub (downloaded once)")
      ->required();
  command->add_option("--adapter", options->adapter, "folder of a LoRA adapter in PEFT's layout")->required();
  declare_any_base(*command, options->any_base);
  command->add_option("--out", options->out, "new folder, in Hugging Face's layout and the model's own type")
      ->required();
  command->callback([options, &exit_code] { exit_code = run_merge(*options); });
}

}  // namespace tritonrl::cli
