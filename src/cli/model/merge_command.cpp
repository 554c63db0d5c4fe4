#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/model/loaded_model.h"
#include "cli/model/model_commands.h"
#include "model/save_model.h"
#include "text/tokenizer/tokenizer_json.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

struct MergeCommandOptions {
  std::string model;
  std::string adapter;
  std::string out;
  bool any_base = false;
};

// What lies beside the weights of a model and stays as it is.
constexpr const char* kCompanions[] = {
    "tokenizer.json",    "tokenizer_config.json",  "chat_template.jinja", "special_tokens_map.json",
    "added_tokens.json", "generation_config.json", "vocab.json",          "merges.txt"};

// A GGUF file holds the tokenizer itself.
void write_tokenizer(const text::ModelText& text, const weights::ModelConfig& config, const fs::path& out) {
  base::write_file_atomically(out / "tokenizer.json", text::tokenizer_json(text.tokenizer.parts()));
  if (config.eos_token_ids.empty()) return;
  const auto end = static_cast<text::TokenId>(config.eos_token_ids.front());
  base::write_file_atomically(out / "tokenizer_config.json",
                              text::tokenizer_config_json({.eos_token = std::string(text.tokenizer.bytes_of(end)),
                                                           .chat_template = text.chat_template}));
}

void write_companions(const weights::ModelLocation& location, const weights::ModelConfig& config, const fs::path& out) {
  if (location.kind == weights::ModelLocation::Kind::kGguf) {
    write_tokenizer(weights::open_tokenizer(location), config, out);
    return;
  }
  for (const char* name : kCompanions) {
    if (fs::exists(location.path / name))
      base::write_file_atomically(out / name, base::read_file(location.path / name));
  }
}

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
  write_companions(location, model->config(), options.out);
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
