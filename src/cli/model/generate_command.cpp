#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/model/generate_output.h"
#include "cli/model/loaded_model.h"
#include "cli/model/model_commands.h"
#include "cli/model/prompt_options.h"
#include "cli/model/remote_model.h"
#include "cli/model/sampling_arguments.h"
#include "cli/stop_signals.h"
#include "generate/engine.h"
#include "generate/request_check.h"

namespace tritonrl::cli {
namespace {

struct GenerateCommandOptions {
  ModelArguments model;
  RemoteArguments remote;  // where --model is a server's address
  PromptOptions prompt;
  generate::SamplingOptions sampling;
  MachineOptions machine;
  int samples = 1;
  std::uint64_t seed = 0;
  int slots = 32;
  bool json = false;
  std::optional<bool> stream;  // none: on a terminal, if there is one sample and no JSON
};

// `whole_only`: an answer is no file before it is finished.
GenerateOutputOptions output_options(const GenerateCommandOptions& options, bool whole_only) {
  const bool possible = options.samples == 1 && !options.json;
  if (options.stream.value_or(false) && !possible)
    throw base::UserError("generate", "--stream shows one sample as text; it goes with neither --samples nor --json");
  return {.json = options.json,
          .stream = possible && !whole_only && options.stream.value_or(::isatty(STDOUT_FILENO) == 1),
          .samples = options.samples};
}

generate::GenerateRequest make_request(const GenerateCommandOptions& options, const text::AskedPrompt& prompt) {
  generate::GenerateRequest request;
  request.id = "prompt";
  request.prompt = prompt.tokens;
  request.samples = options.samples;
  request.seed = options.seed;
  request.sampling = options.sampling;
  request.sampling.stop_tokens = prompt.stop_tokens;
  return request;
}

struct GeneratingModel {
  text::ModelText text;
  std::unique_ptr<model::Transformer> transformer;  // none: a server has it
  generate::RequestLimits limits;
  std::string prompt_folder;
};

GeneratingModel open_model(const GenerateCommandOptions& options) {
  if (generate::is_server_address(options.model.model)) {
    if (!options.model.adapter.empty())
      throw base::UserError("generate", "--adapter has no place with a server; name its own by --served-model");
    return {.text = remote_text(options.remote), .prompt_folder = options.remote.tokenizer};
  }
  LoadedModel loaded = load_model(options.model);
  const weights::ModelConfig& config = loaded.transformer->config();
  const generate::RequestLimits limits{.vocabulary = config.vocab_size, .context = config.max_position_embeddings};
  return {.text = std::move(loaded.text),
          .transformer = std::move(loaded.transformer),
          .limits = limits,
          .prompt_folder = options.model.adapter.empty() ? options.model.model : options.model.adapter};
}

std::unique_ptr<generate::Generator> generator_of(const GeneratingModel& model,
                                                  const generate::GenerateRequest& request,
                                                  const GenerateCommandOptions& options) {
  if (!model.transformer) return remote_generator(options.model.model, options.remote, model.text);
  const auto length = static_cast<std::int64_t>(request.prompt.size()) + request.sampling.max_new_tokens;
  const generate::EngineOptions engine{.slots = std::min(options.slots, options.samples), .capacity = length};
  return std::make_unique<generate::Engine>(*model.transformer, model.text.tokenizer, engine);
}

int run_generate(const GenerateCommandOptions& options) {
  // Whoever stops reading ends the work, not the process.
  std::signal(SIGPIPE, SIG_IGN);
  output_options(options, false);  // says what does not go together before anything is loaded
  const GeneratingModel model = open_model(options);
  const MadePrompt prompt = make_prompt(options.prompt, model.text, model.prompt_folder, options.machine);
  GenerateOutput output(output_options(options, prompt.shown && prompt.shown->restores()));
  generate::GenerateRequest request = make_request(options, prompt.asked);
  ShownTasks::limit(prompt.wording, request.sampling);
  check(request, model.limits);
  const std::unique_ptr<generate::Generator> generator = generator_of(model, request, options);

  const StopSignals signals;
  bool wanted = true;
  generate::GenerateEvents events;
  events.on_text = [&](const std::string&, int, std::string_view text) { return wanted = output.text(text); };
  events.on_sample = [&](record::Sample sample) {
    sample.text = prompt.finished(std::move(sample.text));
    wanted = output.sample(sample) && wanted;
  };
  events.cancelled = [&] { return !wanted || signals.received() != 0; };
  generator->generate({&request, 1}, events);
  if (signals.received() == 0) return kDone;
  std::cerr << "tritonrl: stopped; " << output.written() << " of " << options.samples << " samples were finished\n";
  return 128 + signals.received();
}

}  // namespace

void add_generate_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<GenerateCommandOptions>();
  CLI::App* command = app.add_subcommand("generate", "sample answers of a model to a prompt or a task");
  declare(*command, options->model);
  declare(*command, options->remote);
  declare(*command, options->prompt);
  declare(*command, options->sampling);
  declare(*command, options->machine);
  command->add_option("--samples", options->samples, "answers to the prompt")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "of the draws; equal seeds give equal answers")->capture_default_str();
  command->add_option("--slots", options->slots, "samples that grow at once")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_flag("--stream,!--no-stream", options->stream,
                    "show the text as it grows (default on a terminal, for one sample)");
  command->add_flag("--json", options->json,
                    "print a line a sample: id, index, text, finish, tokens, log_probabilities, seed, adapter_version, "
                    "prompt");
  command->callback([options, &exit_code] { exit_code = run_generate(*options); });
}

}  // namespace tritonrl::cli
