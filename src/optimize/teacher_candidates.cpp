#include "optimize/teacher_candidates.h"

#include <array>
#include <set>

#include "base/error.h"
#include "syntax/plain_form.h"
#include "teacher/reader/rewrite.h"
#include "teacher/traced/traced_facts.h"

namespace tritonrl::optimize {
namespace {

using teacher::KernelPolicy;
using teacher::Variant;

struct Form {
  const char* name;
  KernelPolicy policy;
  Variant variant;
  bool exact = false;
};
constexpr std::array kForms = {
    Form{"teacher, fast", KernelPolicy::kKernelBench, Variant::kFast},
    Form{"teacher, canonical", KernelPolicy::kKernelBench, Variant::kCanonical},
    Form{"teacher, strict, fast", KernelPolicy::kStrict, Variant::kFast},
    Form{"teacher, strict, canonical", KernelPolicy::kStrict, Variant::kCanonical},
    Form{"teacher, exact", KernelPolicy::kKernelBench, Variant::kFast, true},
};

std::string advice_for(const std::string& phase) {
  if (phase == "load task") return "the file must run as a module; mend it, or name a class that can be taken alone";
  if (phase == "get_init_inputs" || phase == "initialise") return "say what it is made with: --init '64, heads=4'";
  return "say what forward is called with: --input 'f32[8,1024]', one for each argument, and what it is made with: "
         "--init";
}

[[noreturn]] void refuse(const record::Task& task, const python::TraceOutcome& traced) {
  const std::string what = traced.exception.empty() ? traced.message : traced.exception + ": " + traced.message;
  throw base::UserError("optimize", task.entry_point + " does not run (" + traced.phase +
                                        (traced.line > 0 ? ", line " + std::to_string(traced.line) : "") +
                                        "): " + what + "; " + advice_for(traced.phase));
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
  const std::vector<python::ParsedSource> parsed = reader.parse(again);
  if (!parsed[0].tree) throw base::UserError("optimize", task.entry_point + ": " + parsed[0].error);
  const python::TraceOutcome traced = tracer.trace(normal);
  if (!traced.traced) {
    using Kind = python::RecordOutcome::Kind;
    if (traced.kind == Kind::kRaised || traced.kind == Kind::kBadTask) refuse(task, traced);
    out.why_none = "it cannot be followed on tensors without values (" + traced.message + ")";
    return out;
  }
  const syntax::SyntaxNode& module = parsed[0].tree->root();
  const teacher::Facts facts = teacher::traced_facts(module, traced);
  std::set<std::string> seen;
  for (const Form& form : kForms) {
    if (strict && form.policy != KernelPolicy::kStrict) continue;
    std::string why;
    std::optional<teacher::Rewritten> made = teacher::rewrite(
        module, facts, task.entry_point, {.policy = form.policy, .variant = form.variant, .exact = form.exact}, &why);
    if (!made && out.why_none.empty()) out.why_none = "nothing in it can be replaced by a kernel (" + why + ")";
    if (!made || (strict && made->policy != KernelPolicy::kStrict) || !seen.insert(made->solution).second) continue;
    Candidate candidate{.source = form.name, .code = std::move(made->solution)};
    form.exact ? void(out.exact = std::move(candidate)) : out.candidates.push_back(std::move(candidate));
  }
  if (out.candidates.empty() && out.why_none.empty())
    out.why_none = "no form of it computes everything in kernels, as --policy strict wants";
  if (!out.candidates.empty()) out.why_none.clear();
  return out;
}

}  // namespace tritonrl::optimize
