#include "evaluate/evaluate.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/hash64.h"
#include "evaluate/judging.h"
#include "generate/draws.h"

namespace tritonrl::evaluate {
namespace {

using Key = std::tuple<std::size_t, bool, int>;  // task, whether greedy (put first), sample

Key key_of(std::size_t task, bool greedy, int index) {
  return {task, !greedy, index};
}

// A request and which answer of which task its samples are.
struct Asked {
  generate::GenerateRequest request;
  std::size_t task = 0;
  bool greedy = false;
  int first_index = 0;
};

class Evaluation {
 public:
  Evaluation(std::span<const EvaluationTask> tasks, const EvaluateOptions& options, const EvaluateTools& tools,
             ResultLog& log)
      : tasks_(tasks), options_(options), tools_(tools), log_(log) {
    take_kept();
  }

  EvaluateOutcome run() {
    Judging judging(*tools_.judge, options_.workers, tools_.stopped,
                    [this](SampleResult result) { keep(std::move(result), /*earlier=*/false); });
    if (tools_.answers != nullptr) {
      hand_over_answers(judging);
    } else {
      generate_answers(judging);
    }
    judging.finish();
    log_.sync();
    EvaluateOutcome out;
    for (auto& [key, result] : results_) out.results.push_back(std::move(result));
    out.complete =
        out.results.size() == tasks_.size() * (static_cast<std::size_t>(options_.samples) + (options_.greedy ? 1 : 0));
    return out;
  }

 private:
  void take_kept() {
    for (std::size_t i = 0; i < tasks_.size(); ++i) places_.emplace(tasks_[i].task.id, i);
    for (const SampleResult& result : log_.kept()) {
      const auto place = places_.find(result.id);
      if (place == places_.end()) continue;  // the log's options hold the hash of all tasks: cannot be
      results_.emplace(key_of(place->second, result.greedy, result.index), result);
      if (tools_.result_came) tools_.result_came(result, /*earlier=*/true);
    }
  }

  bool is_there(std::size_t task, bool greedy, int index) const {
    return results_.contains(key_of(task, greedy, index));
  }

  SampleResult begun(std::size_t task, bool greedy, int index) const {
    SampleResult out;
    out.id = tasks_[task].task.id;
    out.level = tasks_[task].level;
    out.degenerate = tasks_[task].degenerate;
    out.greedy = greedy;
    out.index = index;
    return out;
  }

  // What is known without a judge: there is nothing to judge.
  SampleResult without_code(std::size_t task, bool greedy, int index, const char* rule,
                            const std::string& message) const {
    SampleResult out = begun(task, greedy, index);
    out.kind = record::VerdictKind::kNoCode;
    out.rule = rule;
    out.reward = 0;
    out.message = out.extraction = message;
    return out;
  }

  // Each answer of each task that is still wanted.
  template <typename Function>
  void for_each_wanted(std::size_t task, const Function& function) const {
    if (options_.greedy && !is_there(task, true, 0)) function(true, 0);
    for (int index = 0; index < options_.samples; ++index) {
      if (!is_there(task, false, index)) function(false, index);
    }
  }

  void hand_over_answers(Judging& judging) {
    std::set<Key> kept;  // `results_` grows meanwhile
    for (const auto& [key, result] : results_) kept.insert(key);
    for (std::size_t task = 0; task < tasks_.size() && !judging.stopped(); ++task) {
      const auto hand_over = [&](bool greedy, int index) {
        if (kept.contains(key_of(task, greedy, index)) || judging.stopped()) return;
        const std::string* text = tools_.answers->find(tasks_[task].task.id, greedy, index);
        if (text == nullptr) {
          judging.add(without_code(task, greedy, index, kNoAnswer, "there is no answer to this task"));
          return;
        }
        SampleResult result = begun(task, greedy, index);
        result.text = tools_.restore && !tools_.answers->as_judged() ? tools_.restore(tasks_[task], *text) : *text;
        judging.add(std::move(result), tasks_[task].task);
      };
      if (options_.greedy) hand_over(true, 0);
      for (int index = 0; index < options_.samples; ++index) hand_over(false, index);
    }
  }

  void generate_answers(Judging& judging) {
    std::vector<SampleResult> unasked;
    const std::vector<Asked> asked = requests(unasked);
    for (SampleResult& result : unasked) judging.add(std::move(result));
    std::vector<generate::GenerateRequest> requests;
    std::map<std::string, const Asked*> by_id;
    for (const Asked& one : asked) {
      requests.push_back(one.request);
      by_id.emplace(one.request.id, &one);
    }
    generate::GenerateEvents events;
    events.cancelled = [&] { return judging.stopped(); };
    events.on_sample = [&](const record::Sample& sample) {
      if (sample.finish == record::FinishReason::kCancelled) return;
      const Asked& one = *by_id.at(sample.id);
      SampleResult result = begun(one.task, one.greedy, 0);
      result.take(sample);
      if (tools_.restore) result.text = tools_.restore(tasks_[one.task], std::move(result.text));
      result.index = one.first_index + sample.index;
      judging.add(std::move(result), tasks_[one.task].task);  // blocks while the judge has enough to do
    };
    if (!requests.empty()) tools_.generator->generate(requests, events);
  }

  std::vector<Asked> requests(std::vector<SampleResult>& unasked) const {
    std::vector<Asked> out;
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      std::vector<std::pair<bool, int>> wanted;
      for_each_wanted(task, [&](bool greedy, int index) { wanted.emplace_back(greedy, index); });
      if (wanted.empty()) continue;
      const text::AskedPrompt prompt = tools_.ask(tasks_[task]);
      const auto length = static_cast<std::int64_t>(prompt.tokens.size());
      if (length >= tools_.context) {
        for (const auto& [greedy, index] : wanted) {
          unasked.push_back(without_code(task, greedy, index, kPromptTooLong,
                                         "its prompt has " + std::to_string(length) + " tokens, the model reads " +
                                             std::to_string(tools_.context)));
          unasked.back().prompt_tokens = length;
        }
        continue;
      }
      add_requests(task, wanted, prompt, out);
    }
    return out;
  }

  void add_requests(std::size_t task, const std::vector<std::pair<bool, int>>& wanted, const text::AskedPrompt& prompt,
                    std::vector<Asked>& out) const {
    const std::uint64_t seed = task_seed(options_.seed, tasks_[task].task.id);
    const auto add = [&](bool greedy, int first_index, int samples) {
      Asked& asked = out.emplace_back();
      asked.task = task;
      asked.greedy = greedy;
      asked.first_index = first_index;
      asked.request.id = tasks_[task].task.id + (greedy ? " greedy" : " from " + std::to_string(first_index));
      asked.request.prompt = prompt.tokens;
      asked.request.samples = samples;
      // a request of one sample with that sample's own seed draws the same
      asked.request.seed = generate::sample_seed(seed, first_index);
      asked.request.sampling = tools_.sampling;
      asked.request.sampling.stop_tokens = prompt.stop_tokens;
      if (greedy) asked.request.sampling.temperature = 0;
    };
    const auto sampled = std::count_if(wanted.begin(), wanted.end(), [](const auto& one) { return !one.first; });
    if (wanted.front().first) add(true, 0, 1);
    if (sampled == options_.samples && sampled > 0) {
      add(false, 0, options_.samples);  // from one prefill
      return;
    }
    for (const auto& [greedy, index] : wanted) {
      if (!greedy) add(false, index, 1);
    }
  }

  // On the collecting thread.
  void keep(SampleResult result, bool earlier) {
    log_.append(result);
    if (tools_.result_came) tools_.result_came(result, earlier);
    const Key key = key_of(places_.at(result.id), result.greedy, result.index);
    results_.insert_or_assign(key, std::move(result));
  }

  const std::span<const EvaluationTask> tasks_;
  const EvaluateOptions& options_;
  const EvaluateTools& tools_;
  ResultLog& log_;
  std::map<std::string, std::size_t> places_;
  std::map<Key, SampleResult> results_;  // once judging has begun: of the collecting thread
};

}  // namespace

std::uint64_t task_seed(std::uint64_t seed, const std::string& task_id) {
  return base::hash64(task_id, seed);
}

EvaluateOutcome evaluate(std::span<const EvaluationTask> tasks, const EvaluateOptions& options,
                         const EvaluateTools& tools, ResultLog& log) {
  if (options.samples == 0 && !options.greedy)
    throw base::UserError("evaluate", "--samples 0 without --greedy asks for nothing");
  if (tools.answers == nullptr && options.samples > 1 && tools.sampling.temperature == 0)
    throw base::UserError("evaluate", "--samples " + std::to_string(options.samples) +
                                          " at --temperature 0 are all the same; choose a temperature above 0, or "
                                          "--samples 1");
  return Evaluation(tasks, options, tools, log).run();
}

}  // namespace tritonrl::evaluate
