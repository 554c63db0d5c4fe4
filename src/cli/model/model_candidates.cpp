#include "cli/model/model_candidates.h"

#include <optional>

#include "cli/model/evaluated_model.h"
#include "cli/model/model_prompt.h"
#include "cli/model/task_facts.h"
#include "judge/judge.h"

namespace tritonrl::cli {
namespace {

constexpr int kMostAtOnce = 8;  // answers that grow together

EvalArguments arguments_of(const ModelCandidatesOptions& options) {
  EvalArguments out;
  out.model = options.model;
  out.remote = options.remote;
  out.machine = options.machine;
  out.judge.policy = options.strict ? "strict" : "kernelbench";
  out.run.samples = kMostAtOnce;
  out.sampling.max_new_tokens = options.max_new_tokens;
  if (const std::optional<text::PromptOptions> told = prompt_of(prompt_folder(out))) out.prompt = *told;
  return out;
}

}  // namespace

ModelCandidates::ModelCandidates(const ModelCandidatesOptions& options, record::Task task, python::Recorder& recorder)
    : task_(std::move(task)),
      arguments_(arguments_of(options)),
      temperature_(options.temperature),
      facts_(options.machine, recorder) {
  const std::vector<evaluate::EvaluationTask> tasks = {{.task = task_, .level = 0, .degenerate = {}}};
  model_ = std::make_unique<EvaluatedModel>(arguments_, tasks, facts_);
  const std::size_t tokens = model_->prompt(task_.id).tokens.size();
  if (static_cast<std::int64_t>(tokens) >= model_->context()) {
    why_none_ = "the module takes " + std::to_string(tokens) + " tokens, and the model reads " +
                std::to_string(model_->context());
  }
}

std::vector<optimize::Candidate> ModelCandidates::answers(int first, int count, const std::function<bool()>& over) {
  if (!why_none_.empty()) return {};
  const text::AskedPrompt& prompt = model_->prompt(task_.id);
  generate::GenerateRequest request;
  request.id = task_.id;
  request.prompt = prompt.tokens;
  request.samples = count;
  request.seed = static_cast<std::uint64_t>(first);
  request.sampling = arguments_.sampling;
  request.sampling.temperature = first == 0 ? 0 : temperature_;
  request.sampling.stop_tokens = prompt.stop_tokens;
  generate::GenerateEvents events;
  events.cancelled = over;
  std::vector<optimize::Candidate> out;
  for (const record::Sample& sample : model_->generator().generate({&request, 1}, events)) {
    if (sample.finish == record::FinishReason::kCancelled) continue;
    judge::Submission answer;
    answer.take_answer(model_->restored(task_.id, sample.text));
    const int number = first + sample.index;
    out.push_back(
        {.source = number == 0 ? std::string("model, likeliest answer") : "model, sample " + std::to_string(number + 1),
         .code = std::move(answer.code),
         .extraction = std::move(answer.extraction)});
  }
  return out;
}

}  // namespace tritonrl::cli
