#include "cli/model/model_candidates.h"

#include <filesystem>
#include <optional>

#include "cli/model/evaluated_model.h"
#include "cli/model/model_prompt.h"
#include "cli/model/task_facts.h"
#include "judge/judge.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

EvalArguments arguments_of(const ModelCandidatesOptions& options) {
  EvalArguments out;
  out.model = options.model;
  out.machine = options.machine;
  out.judge.policy = options.strict ? "strict" : "kernelbench";
  out.run.samples = options.samples;
  out.sampling.max_new_tokens = options.max_new_tokens;
  const std::string& folder = options.model.adapter.empty() ? options.model.model : options.model.adapter;
  if (const std::optional<text::PromptOptions> told = prompt_of(folder)) out.prompt = *told;
  return out;
}

optimize::Candidate candidate_of(const record::Task& task, const record::Sample& sample, bool likeliest,
                                 const CountedTasks* counted) {
  judge::Submission answer;
  answer.take_answer(counted == nullptr ? sample.text : counted->restored(task.id, sample.text));
  return {.source =
              likeliest ? std::string("model, likeliest answer") : "model, sample " + std::to_string(sample.index + 1),
          .code = std::move(answer.code),
          .extraction = std::move(answer.extraction)};
}

}  // namespace

std::vector<optimize::Candidate> model_candidates(const ModelCandidatesOptions& options, const record::Task& task,
                                                  python::Recorder& recorder, const std::function<bool()>& over,
                                                  std::string& why_none) {
  const EvalArguments arguments = arguments_of(options);
  const std::vector<evaluate::EvaluationTask> tasks = {{.task = task, .level = 0, .degenerate = {}}};
  TaskFacts facts(options.machine, recorder);
  CountedTasks names;
  CountedTasks* counted = arguments.prompt.names == text::PromptNames::kCounted ? &names : nullptr;
  EvaluatedModel model(arguments, tasks, facts, counted);
  const text::AskedPrompt& prompt = model.prompt(task.id);
  if (static_cast<std::int64_t>(prompt.tokens.size()) >= model.context()) {
    why_none = "the module takes " + std::to_string(prompt.tokens.size()) + " tokens, and the model reads " +
               std::to_string(model.context());
    return {};
  }
  std::vector<generate::GenerateRequest> requests(options.samples > 1 ? 2 : 1);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].id = i == 0 ? "likeliest" : "drawn";
    requests[i].prompt = prompt.tokens;
    requests[i].samples = i == 0 ? 1 : options.samples - 1;
    requests[i].sampling = arguments.sampling;
    requests[i].sampling.temperature = i == 0 ? 0 : options.temperature;
    requests[i].sampling.stop_tokens = prompt.stop_tokens;
  }
  generate::GenerateEvents events;
  events.cancelled = over;
  std::vector<optimize::Candidate> out;
  for (const record::Sample& sample : model.generator().generate(requests, events)) {
    if (sample.finish != record::FinishReason::kCancelled)
      out.push_back(candidate_of(task, sample, sample.id == requests[0].id, counted));
  }
  if (out.empty()) why_none = "there was no time for an answer";
  return out;
}

std::string shipped_model() {
  std::error_code unreachable;
  const fs::path program = fs::read_symlink("/proc/self/exe", unreachable).parent_path();
  for (const fs::path& folder : {program, program.parent_path(), program.parent_path().parent_path(), fs::path()}) {
    const fs::path model = folder / "models" / "embedded", weights = model / "model.safetensors";
    if (fs::is_regular_file(weights, unreachable) && fs::file_size(weights, unreachable) > (1 << 20))
      return model.string();
  }
  return "";
}

}  // namespace tritonrl::cli
