#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/model/companion_files.h"
#include "cli/model/memory_choice.h"
#include "cli/model/model_commands.h"
#include "cli/model/model_prompt.h"
#include "cli/model/stage_run.h"
#include "data/prepare/benchmark_hashes.h"
#include "text/tokenizer/bpe_trainer.h"
#include "text/tokenizer/frequent_fragments.h"
#include "text/tokenizer/tokenizer_json.h"
#include "train/checks.h"
#include "train/generated_source.h"
#include "weights/model_family.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPretrain = "pretrain";
constexpr const char* kEndOfText = "<|endoftext|>";

// The shape of the model; a family of llama's.
struct ShapeOptions {
  std::int64_t layers = 9, hidden = 384, heads = 6, kv_heads = 3, intermediate = 1024, context = 4096;
  int vocabulary = 4096;
  std::int64_t tokenizer_pairs = 20000;
  std::int64_t fragments = 300;  // of answers, as single tokens
  bool untied = false;
  void fields(base::FieldVisitor& field) {
    field("layers", layers, {.help = "blocks of the model", .least = 1});
    field("hidden", hidden, {.help = "its width", .least = 1});
    field("heads", heads, {.help = "of attention", .least = 1});
    field("kv_heads", kv_heads, {.help = "of keys and values, shared by the heads", .least = 1});
    field("intermediate", intermediate, {.help = "width of the feed-forward part", .least = 1});
    field("context", context, {.help = "longest sequence that the model can read", .least = 16});
    field("vocabulary", vocabulary, {.help = "tokens of the tokenizer, at most", .least = 300});
    field("fragments", fragments,
          {.help = "frequent pieces of answers that are single tokens, among those of --vocabulary; 0: none",
           .least = 0});
    field("tokenizer_pairs", tokenizer_pairs, {.help = "generated pairs that the tokenizer learns from", .least = 1});
    field("untied", untied, {.help = "a head of its own instead of the embedding"});
  }
};

struct PretrainOptions {
  ShapeOptions shape;
  fs::path start;  // empty: random weights
  train::GeneratedOptions generated;
  fs::path data;
  double data_share = 0.5;
  train::TrainOptions train;
  StageOptions stage;

  PretrainOptions() {
    train.steps = 10000;
    train.batch_tokens = train.pass_tokens = 32768;
    train.optimizer.kind = train::OptimizerKind::kMuon;
    train.optimizer.beta2 = 0.95;
    train.schedule.learning_rate = 4e-3;
    train.schedule.final_fraction = 0.02;
  }
  void fields(base::FieldVisitor& field) {
    shape.fields(field);
    field("start", start,
          {.help = "folder of an earlier model: its weights are where training begins, its shape and tokenizer count"});
    generated.fields(field);
    field("data", data, {.help = "file of pairs that are mixed with the generated ones"});
    field("data_share", data_share, {.help = "part of the examples that comes from --data", .least = 0, .most = 1});
    train.fields(field);
    stage.fields(field);
  }
};

int all_cores() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

weights::ModelLocation folder_of(const fs::path& path) {
  return {weights::ModelLocation::Kind::kFolder, path};
}

// Learnt from the first generated pairs. A run that goes on has it already; else it may be of one with other options.
void make_tokenizer(const PretrainOptions& options, const train::Refused& refused, const fs::path& folder) {
  if (!options.stage.folder().steps(kPretrain).empty() && fs::exists(folder / "tokenizer_config.json")) return;
  if (!options.start.empty()) {
    return write_companions(folder_of(options.start), weights::read_config(folder_of(options.start)),
                            Companions::kTokenizer, folder);
  }
  std::cerr << "training a tokenizer on " << options.shape.tokenizer_pairs << " pairs\n";
  std::vector<std::string> prompts, answers;
  for (train::WordedPair& pair : train::first_pairs(
           options.generated, refused, static_cast<std::size_t>(options.shape.tokenizer_pairs), all_cores())) {
    prompts.push_back(std::move(pair.instruction));
    answers.push_back(std::move(pair.output));
  }
  text::BpeTrainerOptions how{.vocab_size = options.shape.vocabulary,
                              .special_tokens = {kEndOfText, "<|im_start|>", std::string(text::kTurnEnd)}};
  if (options.shape.fragments > 0) {
    how.fragments =
        text::frequent_fragments(answers, prompts, {.count = static_cast<std::size_t>(options.shape.fragments)});
  }
  text::BpeTrainer trainer(std::move(how));
  for (const auto* texts : {&prompts, &answers}) {
    for (const std::string& one : *texts) trainer.add(one);
  }
  fs::create_directories(folder);
  base::write_file_atomically(folder / "tokenizer.json", text::tokenizer_json(trainer.train()));
  base::write_file_atomically(
      folder / "tokenizer_config.json",
      text::tokenizer_config_json({.eos_token = std::string(text::kTurnEnd),
                                   .pad_token = kEndOfText,
                                   .chat_template = text::chat_template_jinja(text::ChatDialect::kPlainChatMl),
                                   .model_max_length = static_cast<int>(options.shape.context)}));
}

weights::ModelConfig model_config(const ShapeOptions& shape, std::int64_t tokens) {
  if (shape.hidden % shape.heads != 0 || shape.heads % shape.kv_heads != 0)
    throw base::UserError("pretrain", "--hidden must be a multiple of --heads, and --heads one of --kv-heads");
  weights::ModelConfig config;
  config.architecture = weights::Architecture::kLlama;
  // products on a GPU want a width that is a multiple of 64
  config.vocab_size = (tokens + 63) / 64 * 64;
  config.hidden_size = shape.hidden;
  config.intermediate_size = shape.intermediate;
  config.num_hidden_layers = shape.layers;
  config.num_attention_heads = shape.heads;
  config.num_key_value_heads = shape.kv_heads;
  config.head_dim = shape.hidden / shape.heads;
  config.max_position_embeddings = shape.context;
  config.tie_word_embeddings = !shape.untied;
  return config;
}

// The config of the model that is trained.
weights::ModelConfig model_config(const PretrainOptions& options, std::int64_t tokens) {
  return options.start.empty() ? model_config(options.shape, tokens) : weights::read_config(folder_of(options.start));
}

// What is left to the machine, settled before the tokenizer is there; false: it does not fit, which a dry run has told.
bool settle(PretrainOptions& options, bool tell) {
  bool eight_bit = false;
  const weights::ModelConfig config = model_config(options, options.shape.vocabulary);
  const bool fits = settle_memory(options.stage, config, /*adapter=*/std::nullopt, eight_bit, options.train, tell);
  options.stage.dtype = dtype_name(options.stage);
  if (options.train.peak_tflops == 0) options.train.peak_tflops = known_peak_tflops(options.stage);
  return fits;
}

int run_pretrain(const PretrainOptions& given, train::Communicator& ranks) {
  PretrainOptions options = given;
  settle(options, ranks.first());
  const train::TrainOptions& training = options.train;
  train::check(training);
  const auto hashes = std::make_shared<const data::BenchmarkHashes>(data::BenchmarkHashes::built_in());
  const train::Refused refused = [hashes](const std::string& hash) { return hashes->contains(hash); };
  const fs::path tokenizer = tokenizer_folder(options.stage, kPretrain);
  if (ranks.first()) {
    clear_stage(options.stage, kPretrain, training.mirror);
    make_tokenizer(options, refused, tokenizer);
    write_prompt_file(tokenizer, options.generated.prompt);
  }
  ranks.barrier();
  const std::optional<fs::path> from = stage_start(options.stage, kPretrain, training.mirror);

  const text::ModelText text = weights::open_tokenizer(folder_of(tokenizer));
  weights::ModelConfig config = model_config(options, text.tokenizer.size());
  config.eos_token_ids = {*text.tokenizer.id_of(text::kTurnEnd)};
  const train::ExampleMaker maker(text, config.eos_token_ids);
  std::vector<train::WeightedSource> sources = {
      {std::make_shared<train::GeneratedSource>(options.generated, refused, maker),
       options.data.empty() ? 1 : 1 - options.data_share}};
  if (!options.data.empty()) {
    const auto pairs = std::make_shared<train::PairFile>(options.data, maker, all_cores());
    train::require_trainable(*pairs, training.packing(), maker.end_of_turn());
    sources.push_back({pairs, options.data_share});
  }
  require_data_of_manifest(options.stage, sources);
  const model::ModelOptions how = options.stage.model_options(/*eight_bit=*/false, /*trainable=*/true);
  const fs::path weights = from ? *from : options.start;
  const auto model = weights.empty() ? model::Transformer::random(config, how, training.seed)
                                     : model::Transformer::load(weights::open_model(folder_of(weights)), how);
  train::Stage stage{.name = kPretrain,
                     .checkpoints = options.stage.folder(),
                     .run = options.stage.runs / (options.stage.name.empty() ? kPretrain : options.stage.name),
                     .options = training,
                     .model = *model,
                     .adapter = std::nullopt,
                     .tokenizer = tokenizer,
                     .maker = maker,
                     .sources = std::move(sources),
                     .steps = training.steps,
                     .from = from,
                     .manifest = manifest_of(options.stage, kPretrain, base::to_json(options)),
                     .communicator = ranks};
  return run_to_end(stage);
}

}  // namespace

void add_pretrain_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<PretrainOptions>();
  CLI::App* command = app.add_subcommand(
      "pretrain",
      "train a small model from scratch: tokenizer, model and pairs from the generator; goes on where it "
      "was stopped");
  declare_fields(*command, *options);
  declare_manifest(*command, *options, options->stage);
  command->callback([options, &exit_code] {
    if (options->train.steps == 0) throw base::UserError("pretrain", "generated pairs have no end: pass --steps");
    if (options->stage.dry_run) {
      exit_code = settle(*options, /*tell=*/true) ? kDone : kAnswerIsNo;
      return;
    }
    exit_code = with_ranks(options->stage, [&](train::Communicator& ranks) { return run_pretrain(*options, ranks); });
  });
}

}  // namespace tritonrl::cli
