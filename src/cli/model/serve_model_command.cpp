#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <memory>

#include "cli/field_options.h"
#include "cli/model/loaded_model.h"
#include "cli/model/model_commands.h"
#include "cli/serve_run.h"
#include "generate/engine.h"

namespace tritonrl::cli {
namespace {

struct ServeModelOptions {
  ServeArguments serve;
  ModelArguments model;
  std::string name;  // empty: the model's as it was given
  int slots = 32;
  std::int64_t context = 4096;
};

int serve_model(const ServeModelOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);
  const LoadedModel model = load_model(options.model);
  const weights::ModelConfig& config = model.transformer->config();
  const std::int64_t context = std::min<std::int64_t>(options.context, config.max_position_embeddings);
  generate::Engine engine(*model.transformer, model.text.tokenizer, {.slots = options.slots, .capacity = context});
  serve::ServedParts parts;
  parts.model.generator = &engine;
  parts.model.text = &model.text;
  parts.model.name = options.name.empty() ? options.model.model : options.name;
  parts.model.limits = {.vocabulary = config.vocab_size, .context = context};
  return serve_until_signal(options.serve, parts);
}

}  // namespace

void add_serve_model_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServeModelOptions>();
  CLI::App* command = app.add_subcommand("serve", "the judge and a model over HTTP, in OpenAI's form");
  declare_beside_model(*command, options->serve.judge);
  declare(*command, options->model);
  command->add_option("--served-name", options->name, "the model's name in requests (default: as --model has it)");
  command->add_option("--slots", options->slots, "samples that grow at once")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_option("--context", options->context, "tokens of prompt and answer together; at most the model's own")
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{1} << 24))
      ->capture_default_str();
  command->add_flag("--no-judge", options->serve.no_judge, "the model alone");
  declare_fields(*command, options->serve.serve);
  declare(*command, options->serve.cache);
  declare(*command, options->serve.machine);
  command->callback([options, &exit_code] { exit_code = serve_model(*options); });
}

}  // namespace tritonrl::cli
