#include <algorithm>

#include "judge/rules/groups.h"
#include "judge/rules/names.h"

// Rules on the file itself: only what no honest one can lack.

namespace tritonrl::judge {
namespace {

using python::JitFunction;
using record::Stage;
using Kind = record::VerdictKind;

Violation at_line(const Evidence& evidence, int line, Violation violation) {
  if (line > 0) violation.at = record::SourcePlace{evidence.name, line, evidence.source->code};
  return violation;
}

Checked no_python(const Evidence& evidence) {
  if (evidence.source->parses) return std::nullopt;
  return at_line(evidence, evidence.source->line,
                 {.message = evidence.source->error, .advice = "the file must be valid Python"});
}

Checked no_entry_point(const Evidence& evidence) {
  if (evidence.source->has_entry_class) return std::nullopt;
  return Violation{.message = "the file defines no class ModelNew", .advice = "define class ModelNew(nn.Module)"};
}

Checked no_kernel(const Evidence& evidence) {
  if (!evidence.source->jit_functions.empty()) return std::nullopt;
  return Violation{.message = "the file holds no Triton kernel",
                   .advice = "write a function under @triton.jit and launch it from ModelNew.forward"};
}

// Of one kernel at least.
Checked none_is(const Evidence& evidence, bool JitFunction::*property, const char* message) {
  const std::vector<JitFunction>& functions = evidence.source->jit_functions;
  if (std::any_of(functions.begin(), functions.end(), [&](const JitFunction& one) { return one.*property; }))
    return std::nullopt;
  return at_line(evidence, functions.front().line, {.message = message});
}

Checked empty_kernel(const Evidence& evidence) {
  return none_is(evidence, &JitFunction::real_body, "no kernel has a body that does anything");
}

Checked unused_kernel(const Evidence& evidence) {
  return none_is(evidence, &JitFunction::referenced, "no kernel is used anywhere in the file");
}

constexpr Rule kFileRules[] = {
    {"syntax", Stage::kAst, Kind::kInvalid, LooksAt::kFile, "", "", no_python, "Python's own parser refuses the file"},
    {rules::kNoEntryPoint, Stage::kAst, Kind::kInvalid, LooksAt::kFile, "", "", no_entry_point,
     "there is no `ModelNew`"},
    {"no_kernel", Stage::kAst, Kind::kInvalid, LooksAt::kFile, rules::kAst, "", no_kernel,
     "no function under `triton.jit`"},
    {"empty_kernel", Stage::kAst, Kind::kInvalid, LooksAt::kFile, rules::kAst, "", empty_kernel,
     "every kernel is a docstring, `pass`, `return`"},
    {"not_launched", Stage::kAst, Kind::kInvalid, LooksAt::kFile, rules::kAst, "", unused_kernel,
     "no kernel's name is used"},
};

}  // namespace

std::span<const Rule> file_rules() {
  return kFileRules;
}

}  // namespace tritonrl::judge
