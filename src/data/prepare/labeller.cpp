#include "data/prepare/labeller.h"

#include "syntax/plain_form.h"

namespace tritonrl::data {
namespace {

bool is_recorded(const Example& example, const PrepareOptions& options) {
  if (options.labels != LabelBy::kAuto) return options.labels == LabelBy::kProgram;
  const bool few = options.num_samples > 0 && options.num_samples <= kFewSamples;
  return few || example.source == "kernelbench" || example.source == "modules";
}

std::optional<RowProblem> problem_of(const Example& example, const python::ParsedSource& parsed,
                                     const abstract::ForwardOperators& forward) {
  if (!parsed.tree) {
    return RowProblem{"not_python",
                      (parsed.line > 0 ? "line " + std::to_string(parsed.line) + ": " : "") + parsed.error};
  }
  if (forward.entry_point.empty()) {
    return RowProblem{"no_module", example.entry_point.empty() ? "it defines no module class with a forward"
                                                               : "it defines no module class " + example.entry_point};
  }
  // Without a solution nothing can be learnt from a task that cannot be run.
  if (example.solution.empty() && !forward.has_inputs) return RowProblem{"no_inputs", "it defines no get_inputs()"};
  return std::nullopt;
}

}  // namespace

Labeller::Labeller(const PrepareOptions& options, const PrepareTools& tools) : options_(options), tools_(tools) {}

// What its maker knows of it.
Labelled Labeller::known(const Example& example) {
  Labelled out;
  out.forward.entry_point = example.entry_point;
  out.forward.has_inputs = out.forward.has_init_inputs = true;
  out.difficulty = {.level = example.level, .why = {"generated, family " + example.family}, .from_program = false};
  out.text_hash = example.operator_hash;
  out.normal = example.pytorch_code;
  return out;
}

std::vector<Labelled> Labeller::label(std::span<const Example* const> examples) {
  std::vector<Labelled> out(examples.size());
  std::vector<const Example*> unknown;
  for (const Example* example : examples) {
    if (example->level == 0) unknown.push_back(example);
  }
  std::vector<Labelled> read = unknown.empty() ? std::vector<Labelled>() : this->read(unknown);
  for (std::size_t i = 0, next = 0; i < examples.size(); ++i) {
    out[i] = examples[i]->level == 0 ? std::move(read[next++]) : known(*examples[i]);
  }
  return out;
}

std::vector<Labelled> Labeller::read(std::span<const Example* const> examples) {
  if (!reader_) reader_ = tools_.make_reader();
  std::vector<std::string_view> texts;
  for (const Example* example : examples) texts.push_back(example->pytorch_code);
  const bool normalise = options_.prompt.form == text::PromptForm::kShort;
  std::vector<python::ParsedSource> parsed = reader_->parse(texts, normalise);
  std::vector<Labelled> out(examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Example& example = *examples[i];
    Labelled& labelled = out[i];
    if (parsed[i].tree) labelled.forward = abstract::forward_operators(parsed[i].tree->root(), example.entry_point);
    labelled.problem = problem_of(example, parsed[i], labelled.forward);
    if (labelled.problem) continue;
    if (normalise) labelled.normal = syntax::plain_text(parsed[i].normal).value_or(parsed[i].normal);
    labelled.text_hash = abstract::operator_hash(labelled.forward);
    if (is_recorded(example, options_) && labelled.forward.has_inputs) record(example, labelled);
    if (!labelled.difficulty.from_program)
      labelled.difficulty = abstract::difficulty_of(labelled.forward, example.pytorch_code);
  }
  return out;
}

void Labeller::record(const Example& example, Labelled& labelled) {
  python::RecordRequest request;
  request.task = {.id = example.id, .source = example.pytorch_code, .entry_point = example.entry_point};
  request.target = tools_.target;
  const python::RecordOutcome outcome = tools_.recorder().record(request);
  if (!outcome.program) {
    labelled.not_recorded = python::to_string(outcome.kind);
    for (const std::string& more : {outcome.exception, outcome.message})
      labelled.not_recorded += more.empty() ? "" : ": " + more;
    return;
  }
  labelled.difficulty = abstract::difficulty_of(*outcome.program);
  labelled.program_hash = abstract::operator_hash(*outcome.program);
}

}  // namespace tritonrl::data
