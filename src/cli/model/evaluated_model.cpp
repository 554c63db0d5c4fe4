#include "cli/model/evaluated_model.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/sha256.h"
#include "cli/model/remote_model.h"
#include "generate/engine.h"
#include "model/adapter.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

// Fresh adapters change nothing: b is zero until the first step. Rates of one would be the base's under another name.
void require_trained(const model::Transformer& model, const std::string& adapter) {
  for (const model::NamedTensor& parameter : model::adapter_parameters(model)) {
    if (parameter.name.find("lora_B") != std::string::npos && parameter.tensor.count_nonzero().item<std::int64_t>() > 0)
      return;
  }
  throw base::UserError("eval", adapter +
                                    ": was never trained: all its lora_B are zero, so that it is the base model; " +
                                    "name a trained one, or leave --adapter out");
}

}  // namespace

EvaluatedModel::EvaluatedModel(const EvalArguments& arguments, std::span<const evaluate::EvaluationTask> tasks,
                               TaskFacts& facts) {
  if (generate::is_server_address(arguments.model.model)) {
    connect(arguments);
  } else {
    load(arguments);
  }
  std::size_t longest = 1;
  prompts_.emplace(arguments.prompt, arguments.ask, *text_, facts, arguments.judge.policy == "strict");
  for (const evaluate::EvaluationTask& task : tasks) {
    const text::AskedPrompt& prompt = prompts_->add(task.task);
    const std::size_t length = prompt.tokens.size();
    if (static_cast<std::int64_t>(length) >= context()) continue;  // a result of its own (evaluate.h)
    longest = std::max(longest, length);
    generate::GenerateRequest request;
    request.id = task.task.id;
    request.prompt = prompt.tokens;
    request.sampling = arguments.sampling;
    check(request, limits_);
  }
  if (generator_) return;
  const std::int64_t capacity =
      std::min(context(), static_cast<std::int64_t>(longest) + arguments.sampling.max_new_tokens);
  const auto answers =
      static_cast<std::int64_t>(tasks.size()) * (arguments.run.samples + (arguments.run.greedy ? 1 : 0));
  generator_ = std::make_unique<generate::Engine>(
      *transformer_, text_->tokenizer,
      generate::EngineOptions{.slots = static_cast<int>(std::min<std::int64_t>(arguments.slots, answers)),
                              .capacity = capacity});
}

void EvaluatedModel::load(const EvalArguments& arguments) {
  LoadedModel loaded = load_model(arguments.model);
  text_ = std::move(loaded.text);
  transformer_ = std::move(loaded.transformer);
  if (const ModelArguments given = with_base(arguments.model); !given.adapter.empty())
    require_trained(*transformer_, given.adapter);
  const weights::ModelConfig& config = transformer_->config();
  limits_ = {.vocabulary = config.vocab_size, .context = config.max_position_embeddings};
}

void EvaluatedModel::connect(const EvalArguments& arguments) {
  text_ = remote_text(arguments.remote);
  auto remote = remote_generator(arguments.model.model, arguments.remote, *text_);
  limits_.vocabulary = text_->tokenizer.size();
  limits_.context = remote->context().value_or(limits_.context);
  generator_ = std::move(remote);
}

std::string files_hash(const std::string& folder_or_file) {
  std::error_code unreachable;
  std::vector<std::string> lines;
  const auto add = [&](const fs::path& file) {
    lines.push_back(file.filename().string() + " " + std::to_string(fs::file_size(file, unreachable)) + " " +
                    std::to_string(fs::last_write_time(file, unreachable).time_since_epoch().count()));
  };
  if (fs::is_directory(folder_or_file, unreachable)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_or_file, unreachable)) {
      if (entry.is_regular_file(unreachable)) add(entry.path());
    }
  } else if (fs::exists(folder_or_file, unreachable)) {
    add(folder_or_file);
  }
  if (lines.empty()) return "";
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return base::sha256(all);
}

}  // namespace tritonrl::cli
