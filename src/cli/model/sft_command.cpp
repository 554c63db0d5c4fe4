#include "cli/model/sft_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <thread>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/model/companion_files.h"
#include "cli/model/memory_choice.h"
#include "cli/model/model_commands.h"
#include "record/data_folder.h"
#include "train/checks.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSft = "sft";

std::unique_ptr<model::Transformer> load(const SftOptions& options, const weights::ModelLocation& location,
                                         const std::optional<fs::path>& from, weights::AdapterConfig& adapter) {
  const model::ModelOptions how = options.stage.model_options(options.eight_bit, options.all_parameters);
  if (options.all_parameters) {
    const weights::ModelLocation place =
        from ? weights::ModelLocation{weights::ModelLocation::Kind::kFolder, *from} : location;
    return model::Transformer::load(weights::open_model(place), how);
  }
  auto model = model::Transformer::load(weights::open_model(location), how);
  adapter.base_model = model->name();
  if (from) {
    model::LoadAdapterOptions going_on = adapter_options(/*any_base=*/false);
    going_on.trainable = true;
    model::load_adapter(*model, *from, going_on);
  } else {
    model::add_adapter(*model, adapter, options.train.seed);
  }
  return model;
}

// What is left to the machine, settled; false: it does not fit, which a dry run has told.
bool settle(SftOptions& options, const weights::ModelConfig& config, bool tell) {
  const auto adapter = options.all_parameters ? std::nullopt : std::optional(options.adapter);
  const bool fits = settle_memory(options.stage, config, adapter, options.eight_bit, options.train, tell);
  options.stage.dtype = dtype_name(options.stage);
  if (options.train.peak_tflops == 0) options.train.peak_tflops = known_peak_tflops(options.stage);
  return fits;
}

void check_given(const SftOptions& options) {
  if (options.model.empty())
    throw base::UserError("sft", "no model; pass --model FOLDER, a .gguf file or owner/name on the hub");
  if (options.all_parameters && options.eight_bit)
    throw base::UserError("sft", "--eight-bit weights are frozen; leave out --all-parameters or --eight-bit");
}

int run_ranks(const SftOptions& given, train::Communicator& ranks) {
  SftOptions options = given;
  const weights::ModelLocation location = locate_model(options.model);
  const weights::ModelConfig config = weights::open_model(location).config;
  settle(options, config, ranks.first());
  const train::TrainOptions& training = options.train;
  if (training.longest > config.max_position_embeddings)
    throw base::UserError("sft", "--longest " + std::to_string(training.longest) + " is more than the model's " +
                                     std::to_string(config.max_position_embeddings) + " positions; lower it");
  train::check(training);
  const train::ExampleMaker maker(weights::open_tokenizer(location), config.eos_token_ids);
  const fs::path data = options.data.empty() ? record::DataFolder{}.pairs(record::Split::kTrain) : options.data;
  const auto pairs = std::make_shared<train::PairFile>(
      data, maker, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  require_data_of_manifest(options.stage, {{pairs, 1}});
  const train::PackingOptions packing = training.packing();
  train::require_trainable(*pairs, packing, maker.end_of_turn());
  if (ranks.first())
    std::cerr << data.string() << ": " << pairs->examples().size() << " pairs; " << pairs->longer_than(packing.limit())
              << " of them are longer than " << packing.limit() << " tokens and left out\n";
  const std::int64_t steps =
      training.steps > 0 ? training.steps : train::count_steps({pairs, 1}, training.seed, training.epochs, packing);

  const fs::path tokenizer = tokenizer_folder(options.stage, kSft);
  if (ranks.first()) {  // all that was given is known to be good: what an earlier run left may go
    clear_stage(options.stage, kSft, training.mirror);
    write_companions(location, config, options.all_parameters ? Companions::kAll : Companions::kTokenizer, tokenizer);
  }
  ranks.barrier();
  train::require_same_prompts(maker, pairs->few_instructions(), tokenizer);
  const std::optional<fs::path> from = stage_start(options.stage, kSft, training.mirror);

  weights::AdapterConfig adapter = options.adapter;
  const auto model = load(options, location, from, adapter);
  train::Stage stage{.name = kSft,
                     .checkpoints = options.stage.folder(),
                     .run = options.stage.runs / (options.stage.name.empty() ? kSft : options.stage.name),
                     .options = training,
                     .model = *model,
                     .adapter = options.all_parameters ? std::nullopt : std::optional(adapter),
                     .tokenizer = tokenizer,
                     .maker = maker,
                     .sources = {{pairs, 1}},
                     .steps = steps,
                     .from = from,
                     .manifest = manifest_of(options.stage, kSft, base::to_json(options)),
                     .communicator = ranks};
  return run_to_end(stage);
}

}  // namespace

void SftOptions::fields(base::FieldVisitor& field) {
  field("model", model,
        {.help = "folder in Hugging Face's layout, .gguf file, or owner/name on the hub (downloaded once)"});
  field("data", data, {.help = "file of pairs, one JSON object a line (default: what `prepare` writes)"});
  field("all_parameters", all_parameters, {.help = "train all parameters instead of a LoRA adapter"});
  field("eight_bit", eight_bit, {.help = "hold the frozen linear layers as int8 with a scale a row"});
  field("lora_r", adapter.r, {.help = "rank of the adapter", .least = 1});
  field("lora_alpha", adapter.alpha, {.help = "its change is scaled by alpha / r", .least = 0});
  field("lora_dropout", adapter.dropout,
        {.help = "part of the adapter's inputs that is dropped", .least = 0, .most = 0.99});
  field("target_modules", adapter.target_modules, {.help = "matrices that get an adapter"});
  train.fields(field);
  stage.fields(field);
}

int run_sft(const SftOptions& options) {
  check_given(options);
  if (options.stage.dry_run) {
    SftOptions planned = options;
    return settle(planned, locate_config(options.model), /*tell=*/true) ? kDone : kAnswerIsNo;
  }
  return with_ranks(options.stage, [&](train::Communicator& ranks) { return run_ranks(options, ranks); });
}

void add_sft_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SftOptions>();
  CLI::App* command = app.add_subcommand(
      "sft", "fine-tune a model on a file of pairs: a LoRA adapter or all parameters; goes on where it was stopped");
  declare_fields(*command, *options);
  declare_manifest(*command, *options, options->stage);
  command->callback([options, &exit_code] { exit_code = run_sft(*options); });
}

}  // namespace tritonrl::cli
