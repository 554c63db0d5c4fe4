#include "data/prepare/finished_example.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "base/json.h"
#include "record/labelled_task.h"
#include "record/training_pair.h"
#include "teacher/families/taken_over.h"
#include "text/python_tokens.h"

namespace tritonrl::data {
namespace {

constexpr std::string_view kStrict = "strict";  // Example::policy

using record::Split;

// A benchmark is for tests, whatever a hash says.
Split split_for(const Example& example, const Labelled& labelled, const PrepareOptions& options) {
  return example.source == "kernelbench"
             ? Split::kTest
             : split_of(split_key(example.id, example.repository, labelled.text_hash), options.split);
}

// The plan that a solution follows, as far as both texts tell.
std::string plan_of(const Example& example, const Labelled& labelled) {
  std::string operators, kernels;
  for (const abstract::ForwardOperator& op : labelled.forward.operators) {
    if (program::is_compute(op.kind)) operators += (operators.empty() ? "" : ", ") + op.name;
  }
  const std::vector<text::PythonToken> tokens = text::python_tokens(example.solution);
  bool jit = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    jit = jit || (tokens[i].text == "." && tokens[i + 1].text == "jit");
    if (tokens[i].text != "def") continue;
    if (jit) kernels += (kernels.empty() ? "" : ", ") + std::string(tokens[i + 1].text);
    jit = false;
  }
  return "# plan: operators of the module: " + operators + "\n# plan: kernels: " + kernels + "\n";
}

std::int64_t tokens_of(std::string_view text, const PrepareTools& tools) {
  if (tools.count_tokens) return tools.count_tokens(text);
  return static_cast<std::int64_t>(text::python_tokens(text).size());
}

record::LabelledTask task_of(const Example& example, const Labelled& labelled, Split split) {
  record::LabelledTask task;
  task.id = example.id;
  task.pytorch_code = example.pytorch_code;
  task.difficulty = labelled.difficulty.level;
  task.why = labelled.difficulty.why;
  task.entry_point = labelled.forward.entry_point;
  task.split = record::to_string(split);
  task.source = example.rewritten ? "rewritten" : example.source;
  task.labelled_by = example.level > 0 ? "generator" : labelled.difficulty.from_program ? "program" : "text";
  task.runnable = labelled.runnable();
  if (!labelled.not_recorded.empty()) task.why.push_back("not runnable: " + labelled.not_recorded);
  task.own_level = example.own_level;
  task.degenerate = example.degenerate;
  return task;
}

// As the prompt wants it answered. `plan`: that the solution follows; `comments`: what form plan puts before it.
std::string answer_of(const std::string& solution, const std::string& plan, const record::TrainingPair& pair,
                      const PrepareOptions& options, const std::string& comments = "") {
  if (options.prompt.act == text::PromptAct::kPlan) return plan;
  const bool counted = options.prompt.names == text::PromptNames::kCounted;
  return text::answer(counted ? teacher::short_answer(solution, pair.pytorch_code, pair.entry_point) : solution,
                      options.prompt.form, comments);
}

record::TrainingPair pair_of(const Example& example, const Labelled& labelled, const PrepareOptions& options) {
  const text::PromptModule module{.code = example.pytorch_code,
                                  .normal = labelled.normal,
                                  .entry_point = labelled.forward.entry_point,
                                  .facts = example.facts,
                                  .strict = example.policy == kStrict};
  const bool planned = options.prompt.form == text::PromptForm::kPlan;
  record::TrainingPair pair;
  pair.id = example.id;
  pair.instruction = text::prompt(module, options.prompt);
  pair.entry_point = labelled.forward.entry_point;
  pair.pytorch_code = example.pytorch_code;
  pair.output = answer_of(example.solution, example.plan, pair, options,
                          planned && example.plan.empty() ? plan_of(example, labelled) : "");
  pair.level = labelled.difficulty.level;
  pair.source = example.rewritten ? "rewritten" : example.source;
  pair.policy = example.policy;
  pair.variant = example.variant;
  pair.family = example.family;
  pair.repository = example.repository;
  pair.licenses = example.licenses;
  return pair;
}

// The pair of the same module under other names; their texts are in normal form.
record::TrainingPair copied_pair(record::TrainingPair pair, const Example::Copy& copy, int number,
                                 const PrepareOptions& options) {
  const text::PromptModule module{.code = copy.pytorch_code,
                                  .normal = copy.pytorch_code,
                                  .entry_point = pair.entry_point,
                                  .facts = copy.facts,
                                  .strict = pair.policy == kStrict};
  pair.id += "/renamed/" + std::to_string(number);
  pair.instruction = text::prompt(module, options.prompt);
  pair.pytorch_code = copy.pytorch_code;
  pair.output = answer_of(copy.solution, copy.plan, pair, options);
  return pair;
}

std::set<std::string> operators_of(const Example& example, const Labelled& labelled) {
  std::set<std::string> names(example.operators.begin(), example.operators.end());
  for (const abstract::ForwardOperator& op : labelled.forward.operators) {
    if (program::is_compute(op.kind)) names.insert(op.known ? op.name : "(unknown)");
  }
  return names;
}

}  // namespace

FinishedExample left_out(const ReadExample& item, const RowProblem& problem) {
  const base::Json line = {
      {"file", item.file}, {"row", item.row}, {"reason", problem.reason}, {"message", problem.message}};
  FinishedExample out;
  out.lines.emplace_back(PreparedFiles::File::kLeftOut, line.dump());
  const std::string place = item.row > 0 ? item.file + ", row " + std::to_string(item.row) : item.file;
  out.count = [place, problem, package = item.package](Statistics& statistics) {
    statistics.leave_out(problem.reason, place, problem.message);
    if (!package.empty()) ++statistics.packages[package][problem.reason];
  };
  return out;
}

FinishedExample finish_example(const ReadExample& item, const Labelled& labelled, const PrepareOptions& options,
                               const PrepareTools& tools, const BenchmarkHashes& hashes) {
  TRL_CHECK(item.example.has_value(), "an example is finished");
  const Example& example = *item.example;
  if (labelled.problem) return left_out(item, *labelled.problem);
  if (example.source != "kernelbench" && !example.lone_of_benchmark &&
      (hashes.contains(labelled.text_hash) || hashes.contains(labelled.program_hash)))
    return left_out(item, {"in_benchmark", "its operators are those of a benchmark task"});

  const Split split = split_for(example, labelled, options);
  FinishedExample out;
  out.kept = true;
  out.lines.emplace_back(PreparedFiles::File::kLabels, to_json(task_of(example, labelled, split)));
  std::optional<Checked> checked = example.checked;
  if (!checked && tools.verify && !example.solution.empty()) {
    checked = labelled.runnable()
                  ? tools.verify(example)
                  : Checked{false, "not_runnable",
                            labelled.forward.has_inputs ? labelled.not_recorded : "it defines no get_inputs()"};
  }
  const bool acts_by_plan = options.prompt.act == text::PromptAct::kPlan;
  const bool answered = !(acts_by_plan ? example.plan : example.solution).empty();
  const bool with_pair = answered && (!checked || checked->passed);
  if (checked && !checked->passed && (example.rewritten || example.source == "generated")) {
    // the teacher wants to know its mistakes
    RowProblem problem{"not_passed", example.id + ": " + checked->kind + ": " + checked->message};
    out.lines.push_back(left_out(item, problem).lines.front());
  }
  std::int64_t instruction_tokens = 0, output_tokens = 0, output_bytes = 0;
  if (with_pair) {
    const record::TrainingPair pair = pair_of(example, labelled, options);
    instruction_tokens = tokens_of(pair.instruction, tools);
    output_tokens = tokens_of(pair.output, tools);
    output_bytes = static_cast<std::int64_t>(pair.output.size());
    out.lines.emplace_back(PreparedFiles::pairs(split), to_json(pair));
    for (std::size_t i = 0; i < example.copies.size(); ++i) {
      out.lines.emplace_back(PreparedFiles::pairs(split),
                             to_json(copied_pair(pair, example.copies[i], static_cast<int>(i) + 1, options)));
    }
  }
  out.count = [=, package = item.package, operators = operators_of(example, labelled),
               level = labelled.difficulty.level, by_program = labelled.difficulty.from_program,
               runnable = labelled.runnable(), code_bytes = static_cast<std::int64_t>(example.pytorch_code.size()),
               own = example.own_level, odd = example.problem % 2 == 1, degenerate = !example.degenerate.empty(),
               no_solution = example.no_solution](Statistics& statistics) {
    const auto at = static_cast<std::size_t>(split);
    const auto label = static_cast<std::size_t>(level);
    ++statistics.tasks[at][label];
    if (!package.empty()) ++statistics.packages[package][with_pair ? "pair" : "task"];
    statistics.labelled_by_program += by_program ? 1 : 0;
    statistics.degenerate += degenerate ? 1 : 0;
    statistics.not_runnable += runnable ? 0 : 1;
    for (const std::string& name : operators) ++statistics.operators[name];
    if (own > 0) ++statistics.confusion[static_cast<std::size_t>(own)][label];
    if (own > 0 && odd) ++statistics.odd_confusion[static_cast<std::size_t>(own)][label];
    statistics.code_bytes.add(code_bytes);
    if (checked) ++statistics.verdicts[checked->kind];
    if (!no_solution.empty()) ++statistics.task_only[no_solution];
    if (checked && !checked->passed) ++statistics.task_only["its solution did not pass the judge"];
    if (!with_pair) return;
    ++statistics.pairs[at][label];
    statistics.instruction_tokens.add(instruction_tokens);
    statistics.output_tokens.add(output_tokens);
    statistics.output_bytes.add(output_bytes);
  };
  return out;
}

}  // namespace tritonrl::data
