#include "text/prompt.h"

#include <span>

#include "base/check.h"
#include "base/embedded_file.h"
#include "base/fields.h"
#include "text/chars.h"

namespace tritonrl::text {

std::span<const base::EmbeddedFile> one_shot_files();

namespace {

constexpr std::string_view kRole =
    "You write GPU kernels in Triton. Below is a PyTorch module. Speed it up: write custom Triton kernels for its "
    "architecture, so that it computes the same with less memory traffic and fewer launches.\n";

constexpr std::string_view kDemands =
    "- Name the new module `ModelNew`. Its constructor and its `forward` take the same arguments as those of `CLASS`, "
    "and its parameters are created with the same names, shapes and order.\n"
    "- Replace what can be fused by kernels decorated with `@triton.jit`, launched from `forward`. Which operators you "
    "replace is your choice; fusing neighbours usually pays most. What you do not replace may stay in PyTorch.\n"
    "- The results must agree with the original's for every input of these types, also for other sizes: read shapes at "
    "run time, mask what lies outside.\n"
    "- In `tl.dot` on float32 state `input_precision=\"ieee\"`, else digits are lost.\n"
    "- Answer with one complete Python file in one ```python block: imports, kernels, `ModelNew`. No tests, no "
    "example inputs.\n";

constexpr std::string_view kPlanDemand =
    "- Begin the file with a plan in comments, each line starting with `# plan:`: which regions become kernels, which "
    "operators each holds, how the work is divided among programs. Then write the code that does this.\n";

constexpr std::string_view kActDemands =
    "- Do not write the kernels: write the plan that they are made from. For each kernel a line `# fused1 KIND`, `# "
    "fused2 KIND`, ..., and behind it, each in a line of its own that begins with `#   `, the operators that it "
    "computes, in the order of evaluation: `z = sigmoid(x)`, values without a name as `_1`, `_2`, and without a name "
    "what is returned. What is in no kernel stays in PyTorch.\n"
    "- Behind KIND say how the programs share the work: `block=1024` elements, of reductions `form=loop`, `whole`, "
    "`several` (`rows=4`), `columns` (`rows=64 block=32`) or `split` (`parts=64`), of products `m=64 n=64 k=32 "
    "dot=tf32x3 grouped=true stages=3`; and `warps=4`. What is not said is chosen.\n"
    "- Answer with the plan alone.\n";

constexpr std::string_view kStrictDemand =
    "- All arithmetic must be in kernels: products, convolutions and reductions too. PyTorch may only allocate, "
    "reshape "
    "and launch.\n";
constexpr std::string_view kStrictMark = "# strict\n";  // of kShort

std::string fenced(std::string_view code) {
  // A module may hold a fence itself, in a docstring: the outer one must be longer.
  std::size_t ticks = 3;
  for (std::size_t at = code.find("```"); at != std::string_view::npos; at = code.find("```", at)) {
    std::size_t run = 0;
    while (at < code.size() && code[at] == '`') ++run, ++at;
    ticks = std::max(ticks, run + 1);
  }
  const std::string fence(ticks, '`');
  return fence + "python\n" + std::string(trim_right(code)) + "\n" + fence + "\n";
}

std::string with_class(std::string_view demands, std::string_view entry_point) {
  constexpr std::string_view kPlace = "CLASS";
  std::string text(demands);
  const std::size_t at = text.find(kPlace);
  TRL_CHECK(at != std::string::npos, "the demands name the class");
  return text.replace(at, kPlace.size(), entry_point.empty() ? "Model" : entry_point);
}

// float32 is f32, bfloat16 bf16, int64 i64, uint8 u8.
std::string short_type(const std::string& type) {
  const std::size_t digit = type.find_first_of("0123456789");
  if (digit == std::string::npos) return type;
  return (type.starts_with("bfloat") ? "bf" : type.substr(0, 1)) + type.substr(digit);
}

std::string told(const LeafFact& fact) {
  using enum LeafFact::Kind;
  switch (fact.kind) {
    case kTensor: {
      std::string out = short_type(fact.type) + "[";
      // what is computed is a matter of how many dimensions there are and which of them are spread over another's
      for (const std::int64_t size : fact.shape)
        out += std::string(out.ends_with('[') ? "" : ",") + (size == 1 ? "1" : "n");
      return out + "]";
    }
    case kModule: {
      std::string out = fact.type;
      for (const std::string& note : fact.notes) out += (out == fact.type ? "(" : ", ") + note;
      return fact.notes.empty() ? out : out + ")";
    }
    case kFloat:
      return "float";
    case kNone:
      return "None";
    case kInt:
      return fact.value.empty() ? "int" : fact.value;
    case kBool:
      return fact.value.empty() ? "bool" : fact.value;
    case kText:
      return fact.value.empty() ? "str" : fact.value;
    case kList:
      return fact.value.empty() ? "list" : fact.value;
  }
  return "";
}

// "# x: f32[n,1]", a line each; "# in Block.forward" before those of another function. Empty: nothing is to be told.
std::string fact_comments(const PromptModule& module, PromptFacts which) {
  std::string out;
  if (which == PromptFacts::kNone) return out;
  std::string_view function;
  for (const LeafFact& fact : module.facts) {
    if (fact.computed && which == PromptFacts::kLeaves) continue;
    if (fact.function != function) {
      function = fact.function;
      out += "# in " + std::string(function.empty() ? "forward" : function) + "\n";
    }
    out += "# " + fact.name + ": " + told(fact) + "\n";
  }
  return out;
}

}  // namespace

std::span<const char* const> enum_names(PromptFacts) {
  static constexpr const char* kNames[] = {"none", "leaves", "values"};
  return kNames;
}

std::span<const char* const> enum_names(PromptNames) {
  static constexpr const char* kNames[] = {"source", "counted"};
  return kNames;
}

std::span<const char* const> enum_names(PromptAct) {
  static constexpr const char* kNames[] = {"code", "plan"};
  return kNames;
}

std::span<const char* const> enum_names(PromptForm) {
  static constexpr const char* kNames[] = {"full", "short", "plan"};
  return kNames;
}

std::string to_string(PromptForm form) {
  return base::enum_name(form);
}

std::string contradiction(const PromptOptions& options) {
  if (options.one_shot && options.form == PromptForm::kShort)
    return "--one-shot has no place in a prompt of form short; choose full or plan";
  if (options.one_shot && options.act == PromptAct::kPlan)
    return "--one-shot shows an answer in code, and --act plan wants plans; leave one of them out";
  return "";
}

std::string prompt(const PromptModule& module, const PromptOptions& options) {
  const std::string facts = fact_comments(module, options.facts);
  const auto with_facts = [&](std::string_view code) { return std::string(trim_right(code)) + "\n" + facts; };
  if (options.form == PromptForm::kShort) {
    return with_facts(module.normal.empty() ? module.code : module.normal) +
           std::string(module.strict ? kStrictMark : "");
  }
  std::string text(kRole);
  if (options.one_shot) {
    const std::span<const base::EmbeddedFile> files = one_shot_files();
    TRL_CHECK(files.size() == 2, "an example is a task and its answer");
    text += "\nAn example. For the module\n\n" + fenced(files[0].text) + "\nan answer is\n\n" + fenced(files[1].text) +
            "\nNow your module.\n";
  }
  text += "\n" + fenced(facts.empty() ? std::string(module.code) : with_facts(module.code)) + "\n";
  text += options.act == PromptAct::kPlan ? std::string(kActDemands) : with_class(kDemands, module.entry_point);
  if (module.strict) text += kStrictDemand;
  if (options.form == PromptForm::kPlan && options.act == PromptAct::kCode) text += kPlanDemand;
  return text;
}

std::string answer(std::string_view code, PromptForm form, std::string_view plan) {
  if (form == PromptForm::kShort) return std::string(trim_right(code)) + "\n";
  if (form == PromptForm::kFull || plan.empty()) return fenced(code);
  return fenced(std::string(trim_right(plan)) + "\n" + std::string(code));
}

}  // namespace tritonrl::text
