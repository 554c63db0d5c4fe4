#include "cli/model/evaluated_model.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/sha256.h"
#include "cli/model/task_prompt.h"
#include "generate/request_check.h"
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
                               TaskFacts& facts, CountedTasks* counted)
    : model_(load_model(arguments.model)) {
  if (const ModelArguments given = with_base(arguments.model); !given.adapter.empty())
    require_trained(*model_.transformer, given.adapter);
  std::size_t longest = 1;
  const bool strict = arguments.judge.policy == "strict";
  for (const evaluate::EvaluationTask& task : tasks) {
    const bool told = arguments.prompt.facts != text::PromptFacts::kNone;
    const record::Task shown = counted == nullptr ? task.task : counted->shown(task.task, facts);
    const std::string asked = task_prompt(shown.source, arguments.prompt, shown.entry_point,
                                          told ? facts.of(shown) : std::vector<text::LeafFact>(), strict);
    const auto [place, fresh] = prompts_.emplace(task.task.id, text::ask(model_.text, asked, arguments.ask));
    const std::size_t length = place->second.tokens.size();
    if (static_cast<std::int64_t>(length) >= context()) continue;  // a result of its own (evaluate.h)
    longest = std::max(longest, length);
    generate::GenerateRequest request;
    request.id = task.task.id;
    request.prompt = place->second.tokens;
    request.sampling = arguments.sampling;
    check(request, {.vocabulary = model_.transformer->config().vocab_size, .context = context()});
  }
  const std::int64_t capacity =
      std::min(context(), static_cast<std::int64_t>(longest) + arguments.sampling.max_new_tokens);
  const auto answers =
      static_cast<std::int64_t>(tasks.size()) * (arguments.run.samples + (arguments.run.greedy ? 1 : 0));
  engine_ = std::make_unique<generate::Engine>(
      *model_.transformer, model_.text.tokenizer,
      generate::EngineOptions{.slots = static_cast<int>(std::min<std::int64_t>(arguments.slots, answers)),
                              .capacity = capacity});
}

std::int64_t EvaluatedModel::context() const {
  return model_.transformer->config().max_position_embeddings;
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
