#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/progress.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/kept_judge.h"
#include "cli/model/eval_options.h"
#include "cli/model/evaluated_model.h"
#include "cli/model/model_commands.h"
#include "cli/model/model_prompt.h"
#include "cli/model/teacher_answers.h"
#include "cli/stop_signals.h"
#include "cli/terminal_text.h"
#include "evaluate/compare.h"
#include "evaluate/kernelbench_files.h"
#include "evaluate/report.h"
#include "record/evaluation.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;

// All that the results depend on: a second call goes on if it is the same.
Json options_json(const EvalArguments& arguments, std::span<const evaluate::EvaluationTask> tasks,
                  const evaluate::Answers* answers, const JudgeSetting& setting) {
  Json out = Json::object();
  if (answers != nullptr) {
    out["answers"] = answers->hash();
    if (arguments.model.model == kTeacher) out["model"] = Json{{"path", kTeacher}};
  } else {
    const ModelArguments model = with_base(arguments.model);
    out["model"] = Json{{"path", model.model},      {"files", files_hash(model.model)},
                        {"adapter", model.adapter}, {"adapter_files", files_hash(model.adapter)},
                        {"dtype", model.dtype},     {"8bit", model.eight_bit},
                        {"device", model.device}};
    if (generate::is_server_address(model.model))
      out["server"] = Json{{"tokenizer", arguments.remote.tokenizer}, {"model", arguments.remote.served}};
    out["sampling"] = base::to_json(arguments.sampling);
    out["prompt"] = base::to_json(arguments.prompt);
    out["ask"] = Json{{"chat", arguments.ask.chat}, {"raw", arguments.ask.raw}, {"system", arguments.ask.system}};
  }
  out["run"] = Json::parse(base::field_key(arguments.run));
  out["tasks"] = base::to_json(arguments.tasks);
  out["tasks_hash"] = evaluate::tasks_hash(tasks);
  out["judge"] = base::to_json(arguments.judge);
  out["judge_context"] = base::sha256(setting.context.options);
  return out;
}

// Answers to tasks of other names are a mistake that would look like a bad model.
void require_known(const evaluate::Answers& answers, std::span<const evaluate::EvaluationTask> tasks,
                   EvalArguments& arguments) {
  std::size_t known = 0;
  for (const evaluate::EvaluationTask& task : tasks) known += answers.has(task.task.id) ? 1 : 0;
  if (known == 0) {
    throw base::UserError("eval", arguments.answers + ": answers none of the tasks: it has " + answers.first_id() +
                                      ", the tasks are called like " + tasks.front().task.id);
  }
  if (arguments.run.greedy && !answers.has_greedy())
    throw base::UserError("eval", arguments.answers + ": has no line with \"greedy\": true; leave --greedy out");
  if (known < tasks.size())
    std::cerr << "tritonrl: warning: " << arguments.answers << " has no answer to " << tasks.size() - known << " of "
              << tasks.size() << " tasks; they count as no_answer\n";
}

base::ProgressOptions shown(const EvalArguments& arguments, std::size_t tasks) {
  using Style = base::ProgressOptions::Style;
  base::ProgressOptions out;
  out.label = "answers";
  out.total = static_cast<std::int64_t>(tasks) * (arguments.run.samples + (arguments.run.greedy ? 1 : 0));
  out.style = arguments.quiet ? Style::kSilent : Style::kAuto;
  return out;
}

void tell_kernelbench(const EvalArguments& arguments, std::span<const evaluate::SampleResult> results) {
  if (arguments.kernelbench_results.empty()) return;
  for (const fs::path& path : evaluate::write_kernelbench_files(arguments.kernelbench_results, arguments.name, results))
    std::cerr << "tritonrl: for KernelBench's analysis: " << path.string() << "\n";
}

int finish(const EvalArguments& arguments, const Json& options, const evaluate::EvaluateOutcome& outcome) {
  const bool loaded = arguments.answers.empty() && arguments.model.model != kTeacher;
  const ModelArguments model = loaded ? with_base(arguments.model) : arguments.model;
  const Json evaluation = evaluate::evaluation_json({.model_path = model.model,
                                                     .adapter_path = model.adapter,
                                                     .answers_path = arguments.answers,
                                                     .options = options,
                                                     .by_plans = arguments.prompt.act == text::PromptAct::kPlan},
                                                    outcome.results);
  base::write_file_atomically(arguments.out, evaluation.dump(1) + "\n");
  print(arguments.json ? evaluation.at("metrics").dump() + "\n" : evaluate::summary_text(evaluation));
  std::cerr << "tritonrl: results are in " << arguments.out << "\n";
  tell_kernelbench(arguments, outcome.results);
  std::int64_t ours = 0;
  std::set<std::string> unjudged;
  for (const evaluate::SampleResult& result : outcome.results) {
    if (result.kind == record::VerdictKind::kUnjudged) {
      unjudged.insert(result.id);
    } else {
      ours += result.judged() ? 0 : 1;
    }
  }
  if (!unjudged.empty())
    std::cerr << "tritonrl: " << unjudged.size() << " tasks cannot be judged here, whatever the answer, and are in no "
              << "rate (kind unjudged); the first is " << *unjudged.begin() << "\n";
  if (ours == 0) return kDone;
  std::cerr << "tritonrl: " << ours
            << " answers could not be judged, through no fault of theirs, and count for nothing; "
            << "the same command tries those again that may be judged later\n";
  return kOurs;
}

int run_eval(EvalArguments arguments) {
  // Whoever stops reading, and a sandboxed process that dies while we write to it, are outcomes.
  std::signal(SIGPIPE, SIG_IGN);
  if (!arguments.compare.empty()) {
    if (arguments.compare.size() < 2) throw base::UserError("eval", "--compare needs two files of results, or more");
    print(arguments.json ? evaluate::comparison_json(arguments.compare).dump() + "\n"
                         : evaluate::comparison_text(arguments.compare));
    return kDone;
  }
  if (!arguments.from_results.empty()) {
    if (arguments.name.empty()) arguments.name = fs::path(arguments.from_results).stem().string();
    tell_kernelbench(arguments, record::results_of(record::read_evaluation(arguments.from_results)));
    return kDone;
  }
  complete(arguments);
  const std::vector<evaluate::EvaluationTask> tasks = evaluate::read_tasks(arguments.tasks);
  std::optional<evaluate::Answers> answers;
  std::optional<EvaluatedModel> model;
  evaluate::EvaluateTools tools;
  ShownTasks shown_tasks(arguments.prompt);  // of --answers
  TaskFacts facts(arguments.machine);
  if (!arguments.answers.empty()) {
    answers.emplace(arguments.answers);
    require_known(*answers, tasks, arguments);
    tools.answers = &*answers;
    if (shown_tasks.restores()) {
      for (const evaluate::EvaluationTask& task : tasks) shown_tasks.shown(task.task, facts);
      tools.restore = [&](const evaluate::EvaluationTask& task, std::string answer) {
        return shown_tasks.restored(task.task.id, std::move(answer));
      };
    }
  } else if (arguments.model.model == kTeacher) {
    answers.emplace(teacher_answers(tasks, arguments.run, arguments.judge.policy == "strict", arguments.machine,
                                    arguments.judge.target));
    tools.answers = &*answers;
  } else {
    model.emplace(arguments, tasks, facts);
    tools.restore = [&](const evaluate::EvaluationTask& task, std::string answer) {
      return model->restored(task.task.id, std::move(answer));
    };
    tools.generator = &model->generator();
    tools.sampling = arguments.sampling;
    tools.context = model->context();
    tools.ask = [&](const evaluate::EvaluationTask& task) { return model->prompt(task.task.id); };
  }

  const JudgeSetting setting(arguments.judge, arguments.cache, arguments.machine);
  const Json options = options_json(arguments, tasks, tools.answers, setting);
  evaluate::ResultLog log(fs::path(arguments.out).replace_extension(".jsonl"), options, arguments.overwrite);
  KeptJudge judge(setting, arguments.judge);
  tools.judge = &judge;
  base::Progress progress(shown(arguments, tasks.size()));
  const StopSignals signals;
  tools.stopped = [&] { return signals.received() != 0; };
  tools.result_came = [&](const evaluate::SampleResult& result, bool earlier) {
    const std::string kind(to_string(result.kind));
    earlier ? progress.add_earlier(kind) : progress.add(kind);
  };
  const evaluate::EvaluateOutcome outcome = evaluate::evaluate(tasks, arguments.run, tools, log);
  progress.finish();
  if (outcome.complete) return finish(arguments, options, outcome);
  std::cerr << "tritonrl: stopped; " << outcome.results.size() << " results are kept, the same command goes on\n";
  return 128 + signals.received();
}

}  // namespace

void add_eval_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<EvalArguments>();
  CLI::App* command =
      app.add_subcommand("eval", "Lets a model answer tasks, judges the answers and gives rates with their intervals.");
  declare(*command, *arguments);
  command->callback([arguments, command, &exit_code] {
    take_prompt_of(prompt_folder(*arguments), *command, arguments->prompt);
    exit_code = run_eval(*arguments);
  });
}

}  // namespace tritonrl::cli
