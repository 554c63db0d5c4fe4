#include "data/prepare/module_rewriter.h"

#include <array>

#include "base/sha256.h"
#include "data/prepare/teacher_options.h"
#include "python/expression_tracer.h"
#include "python/input_trials.h"
#include "syntax/plain_form.h"
#include "syntax/unparse.h"
#include "teacher/facts/leaf_facts.h"
#include "teacher/families/counted_module.h"
#include "teacher/families/drawn_plan.h"
#include "teacher/families/planted_module.h"
#include "teacher/families/rename_identifiers.h"
#include "teacher/plan/plan.h"
#include "teacher/reader/rewrite.h"
#include "teacher/traced/as_run.h"
#include "teacher/traced/traced_facts.h"

namespace tritonrl::data {
namespace {

// One of two by the example alone, so that the choice is the same in every run.
bool choose(double share, const std::string& what, const std::string& id) {
  if (share <= 0 || share >= 1) return share >= 1;
  const std::string digits = base::sha256(what + " " + id).substr(0, 8);
  return static_cast<double>(std::stoul(digits, nullptr, 16)) < share * 4294967296.0;
}

std::uint64_t draw_of(std::uint64_t seed, const std::string& what) {
  return std::stoull(base::sha256(std::to_string(seed) + " " + what).substr(0, 16), nullptr, 16);
}

std::string at_line(int line, const std::string& message) {
  return (line > 0 ? "line " + std::to_string(line) + ": " : "") + message;
}

// `Model`, or the last class that has a forward.
std::string entry_point_of(const syntax::SyntaxNode& module) {
  std::string last = "Model";
  for (const syntax::SyntaxNode* statement : module.nodes("body")) {
    if (!statement->is("ClassDef")) continue;
    if (statement->text("name") == "Model") return "Model";
    for (const syntax::SyntaxNode* inner : statement->nodes("body")) {
      if (inner->is("FunctionDef") && inner->text("name") == "forward") last = statement->text("name");
    }
  }
  return last;
}

}  // namespace

ModuleRewriter::ModuleRewriter(const TeacherOptions& options, const PrepareTools& tools)
    : options_(options), tools_(tools), reader_(tools.make_reader()) {}
ModuleRewriter::~ModuleRewriter() = default;

std::optional<RowProblem> ModuleRewriter::find_inputs(Example& example) {
  python::InputTrials trials(tools_.recorder(), *tools_.target);
  const python::TriedInputs found =
      trials.find({.id = example.id, .source = example.pytorch_code, .entry_point = example.entry_point});
  if (found.text.empty()) return RowProblem{"no_inputs", found.message};
  example.pytorch_code += found.text;
  example.needs_inputs = false;
  return std::nullopt;
}

std::optional<RowProblem> ModuleRewriter::rewrite(Example& example, std::vector<Example>& planted) {
  if (example.needs_inputs) {
    if (std::optional<RowProblem> problem = find_inputs(example)) return problem;
  }
  return write_pair(example, options_.plants, planted);
}

std::optional<RowProblem> ModuleRewriter::write_pair(Example& example, int plants, std::vector<Example>& planted) {
  const std::array<std::string_view, 1> original = {example.pytorch_code};
  std::vector<python::ParsedSource> parsed = reader_->parse(original, /*normalise=*/true);
  if (!parsed[0].tree) return RowProblem{"not_python", at_line(parsed[0].line, parsed[0].error)};
  example.pytorch_code = syntax::plain_text(parsed[0].normal).value_or(parsed[0].normal);
  if (options_.counted_names) count_names(example);
  const std::array<std::string_view, 1> again = {example.pytorch_code};
  parsed = reader_->parse(again);
  if (!parsed[0].tree) return RowProblem{"not_python", at_line(parsed[0].line, parsed[0].error)};
  if (example.entry_point.empty()) example.entry_point = entry_point_of(parsed[0].tree->root());

  python::ExpressionTracer tracer(tools_.recorder(), *tools_.target);
  const python::TraceOutcome traced =
      tracer.trace({.id = example.id, .source = example.pytorch_code, .entry_point = example.entry_point});
  if (!traced.traced) {
    const std::string what = traced.exception.empty() ? traced.message : traced.exception + ": " + traced.message;
    return RowProblem{"not_traced", (traced.phase.empty() ? "" : traced.phase + ", ") + at_line(traced.line, what)};
  }
  const teacher::Facts facts = teacher::traced_facts(parsed[0].tree->root(), traced);
  if (std::optional<RowProblem> problem = solve(example, parsed[0].tree->root(), facts)) return problem;
  if (!example.checked || example.checked->passed) plant(example, parsed[0].tree->root(), facts, plants, planted);
  return std::nullopt;
}

void ModuleRewriter::plant(const Example& example, const syntax::SyntaxNode& module, const teacher::Facts& facts,
                           int plants, std::vector<Example>& planted) {
  for (int i = 1; i <= plants; ++i) {
    const std::string id = example.id + "/planted/" + std::to_string(i);
    std::optional<std::string> text =
        teacher::planted_module(example.pytorch_code, module, facts, draw_of(options_.seed, id));
    if (!text) continue;
    Example made = example;
    made.id = id;
    made.pytorch_code = *std::move(text);
    made.copies.clear();
    made.checked.reset();
    // what does not run as it was drawn is left out without a word: another draw is as good
    if (!write_pair(made, 0, planted)) planted.push_back(std::move(made));
  }
}

void ModuleRewriter::count_names(Example& example) {
  const std::array<std::string_view, 1> plain = {example.pytorch_code};
  const std::vector<python::ParsedSource> parsed = reader_->parse(plain);
  if (parsed[0].tree && example.entry_point.empty()) example.entry_point = entry_point_of(parsed[0].tree->root());
  python::ExpressionTracer tracer(tools_.recorder(), *tools_.target);
  auto counted = teacher::counted_module(
      teacher::text_as_run({.id = example.id, .source = example.pytorch_code, .entry_point = example.entry_point},
                           *reader_, tracer),
      example.entry_point);
  if (!counted) return;
  example.pytorch_code = std::move(counted->shown);
  example.entry_point = std::move(counted->entry_point);
}

std::optional<RowProblem> ModuleRewriter::solve(Example& example, const syntax::SyntaxNode& module,
                                                const teacher::Facts& facts) {
  teacher::RewriteOptions rewriting;
  rewriting.policy = choose(options_.strict, "policy", example.id) ? teacher::KernelPolicy::kStrict
                                                                   : teacher::KernelPolicy::kKernelBench;
  rewriting.variant =
      choose(options_.fast, "variant", example.id) ? teacher::Variant::kFast : teacher::Variant::kCanonical;
  rewriting.plan = options_.drawn > 0 ? teacher::PlanForm::kLines : options_.plan;
  std::string why;
  const auto write = [&] { return teacher::rewrite(module, facts, example.entry_point, rewriting, &why); };
  const auto take = [&](teacher::Rewritten made) {
    if (choose(options_.drawn, "drawn", example.id))
      made = teacher::with_drawn_plan(module, facts, example.entry_point, std::move(made),
                                      draw_of(options_.seed, "drawn " + example.id));
    example.plan = teacher::plan_text(teacher::plan_of(made));
    example.solution = std::move(made.solution);
    example.policy = name_of(made.policy);
    example.variant = name_of(rewriting.variant);
    if (tools_.verify) example.checked = tools_.verify(example);
  };
  std::optional<teacher::Rewritten> made = write();
  if (!made) return RowProblem{"no_region", why};
  example.no_solution.clear();
  example.rewritten = true;
  example.facts = teacher::leaf_facts(module, facts, example.entry_point);
  take(*std::move(made));
  if (example.checked && example.checked->kind == "wrong") {
    const Checked first = *example.checked;
    rewriting.exact = true;
    if (std::optional<teacher::Rewritten> exact = write()) take(*std::move(exact));
    if (!example.checked->passed) example.checked = first;
  }
  if (!example.checked || example.checked->passed) add_copies(example, module, facts, rewriting);
  return std::nullopt;
}

void ModuleRewriter::add_copies(Example& example, const syntax::SyntaxNode& module, const teacher::Facts& facts,
                                const teacher::RewriteOptions& rewriting) {
  for (int i = 1; i <= options_.renames; ++i) {
    syntax::SyntaxArena arena;
    const teacher::Renamed renamed = teacher::rename_identifiers(
        module, example.entry_point, draw_of(options_.seed, std::to_string(i) + " " + example.id), arena);
    const teacher::Facts moved = teacher::renamed_facts(facts, renamed);
    const std::optional<teacher::Rewritten> made =
        teacher::rewrite(*renamed.module, moved, example.entry_point, rewriting);
    if (!made) continue;
    example.copies.push_back({.pytorch_code = syntax::unparse(*renamed.module),
                              .solution = made->solution,
                              .plan = teacher::plan_text(teacher::plan_of(*made)),
                              .facts = teacher::leaf_facts(*renamed.module, moved, example.entry_point)});
  }
}

}  // namespace tritonrl::data
