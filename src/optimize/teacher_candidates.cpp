#include "optimize/teacher_candidates.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "base/error.h"
#include "syntax/plain_form.h"
#include "teacher/reader/rewrite.h"
#include "teacher/traced/traced_facts.h"
#include "text/chars.h"

namespace tritonrl::optimize {
namespace {

using teacher::KernelPolicy;
using teacher::Variant;

struct Form {
  const char* name;
  KernelPolicy policy;
  Variant variant;
  bool exact = false, beyond_plans = false;
};
constexpr std::array kForms = {
    Form{"teacher, fast", KernelPolicy::kKernelBench, Variant::kFast, false, true},
    Form{"teacher, canonical", KernelPolicy::kKernelBench, Variant::kCanonical},
    Form{"teacher, strict, fast", KernelPolicy::kStrict, Variant::kFast, false, true},
    Form{"teacher, strict, canonical", KernelPolicy::kStrict, Variant::kCanonical},
    Form{"teacher, exact", KernelPolicy::kKernelBench, Variant::kFast, true},
};

std::string advice_for(const std::string& phase) {
  if (phase == "load task") return "the file must run as a module; mend it, or name a class that can be taken alone";
  if (phase == "get_init_inputs" || phase == "initialise") return "say what it is made with: --init '64, heads=4'";
  return "say what forward is called with: --input 'f32[8,1024]', one for each argument, and what it is made with: "
         "--init";
}

// The line of the text that ran; its number is not that of the user's file.
std::string shown_line(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int at = 1; at < line && begin != std::string::npos; ++at) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (line < 1 || begin == std::string::npos) return "";
  return " at `" + std::string(text::trim(std::string_view(text).substr(begin, text.find('\n', begin) - begin))) + "`";
}

[[noreturn]] void refuse(const record::Task& task, const python::TraceOutcome& traced) {
  const std::string what = traced.exception.empty() ? traced.message : traced.exception + ": " + traced.message;
  throw base::UserError("optimize", task.entry_point + " does not run (" + traced.phase +
                                        shown_line(task.source, traced.line) + "): " + what + "; " +
                                        advice_for(traced.phase));
}

// A module in normal form with what is known of its expressions.
struct TracedText {
  std::string entry_point;
  syntax::SyntaxTree tree;
  teacher::Facts facts;

  std::optional<teacher::Rewritten> written(const Form& form, const std::set<int>& left_out, std::string* why) const {
    return teacher::rewrite(tree.root(), facts, entry_point,
                            {.policy = form.policy,
                             .variant = form.variant,
                             .left_out = left_out,
                             .exact = form.exact,
                             .beyond_plans = form.beyond_plans},
                            why);
  }
};

Candidate candidate_of(int form, teacher::Rewritten made, const std::set<int>& left_out) {
  Candidate out{.source = kForms[static_cast<std::size_t>(form)].name, .code = std::move(made.solution)};
  out.form = form;
  out.left_out = left_out;
  for (const teacher::RegionReport& region : made.regions) {
    if (region.line > 0 && std::find(out.lines.begin(), out.lines.end(), region.line) == out.lines.end())
      out.lines.push_back(region.line);
  }
  return out;
}

std::vector<Candidate> with_fewer(const TracedText& module, const Candidate& candidate) {
  std::vector<Candidate> out;
  if (candidate.form < 0 || candidate.lines.size() < 2) return out;
  for (const int line : candidate.lines) {
    std::set<int> left_out = candidate.left_out;
    left_out.insert(line);
    std::optional<teacher::Rewritten> made =
        module.written(kForms[static_cast<std::size_t>(candidate.form)], left_out, nullptr);
    if (!made) continue;
    Candidate fewer = candidate_of(candidate.form, *std::move(made), left_out);
    fewer.source += ", torch in line";
    for (const int each : left_out) fewer.source += " " + std::to_string(each);
    out.push_back(std::move(fewer));
  }
  return out;
}

}  // namespace

TeacherCandidates teacher_candidates(const record::Task& task, bool strict, python::SyntaxReader& reader,
                                     python::ExpressionTracer& tracer) {
  TeacherCandidates out;
  const std::array<std::string_view, 1> original = {task.source};
  const std::vector<python::ParsedSource> first = reader.parse(original, /*normalise=*/true);
  if (!first[0].tree) throw base::UserError("optimize", task.entry_point + ": " + first[0].error);
  const record::Task normal = {.id = task.id,
                               .source = syntax::plain_text(first[0].normal).value_or(first[0].normal),
                               .entry_point = task.entry_point};
  const std::array<std::string_view, 1> again = {normal.source};
  std::vector<python::ParsedSource> parsed = reader.parse(again);
  if (!parsed[0].tree) throw base::UserError("optimize", task.entry_point + ": " + parsed[0].error);
  const python::TraceOutcome traced = tracer.trace(normal);
  if (!traced.traced) {
    using Kind = python::RecordOutcome::Kind;
    if (traced.kind == Kind::kRaised || traced.kind == Kind::kBadTask) refuse(normal, traced);
    out.why_none = "it cannot be followed on tensors without values (" + traced.message + ")";
    return out;
  }
  const auto module = std::make_shared<TracedText>(TracedText{task.entry_point, *std::move(parsed[0].tree), {}});
  module->facts = teacher::traced_facts(module->tree.root(), traced);
  std::set<std::string> seen;
  for (int i = 0; i < static_cast<int>(kForms.size()); ++i) {
    const Form& form = kForms[static_cast<std::size_t>(i)];
    if (strict && form.policy != KernelPolicy::kStrict) continue;
    std::string why;
    std::optional<teacher::Rewritten> made = module->written(form, {}, &why);
    if (!made && out.why_none.empty()) out.why_none = "nothing in it can be replaced by a kernel (" + why + ")";
    if (!made || (strict && made->policy != KernelPolicy::kStrict) || !seen.insert(made->solution).second) continue;
    Candidate candidate = candidate_of(i, *std::move(made), {});
    if (form.exact) {
      out.exact = std::move(candidate);
    } else {
      (form.variant == Variant::kCanonical ? out.canonical : out.candidates).push_back(std::move(candidate));
    }
  }
  const bool none = out.candidates.empty() && out.canonical.empty();
  if (none && out.why_none.empty())
    out.why_none = "no form of it computes everything in kernels, as --policy strict wants";
  if (!none) out.why_none.clear();
  if (!strict) out.fewer = [module](const Candidate& candidate) { return with_fewer(*module, candidate); };
  return out;
}

}  // namespace tritonrl::optimize
