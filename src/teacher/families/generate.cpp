#include "teacher/families/generate.h"

#include <algorithm>
#include <array>

#include "abstract/difficulty.h"
#include "base/check.h"
#include "base/error.h"
#include "base/hash64.h"
#include "syntax/parse.h"
#include "syntax/plain_form.h"
#include "syntax/unparse.h"
#include "teacher/facts/leaf_facts.h"
#include "teacher/families/draw.h"
#include "teacher/families/drawn_plan.h"
#include "teacher/families/modules.h"
#include "teacher/families/rename_identifiers.h"
#include "teacher/families/usual_form.h"
#include "teacher/typing/infer_facts.h"

namespace tritonrl::teacher {

namespace {

constexpr int kMostDraws = 200;
constexpr std::uint64_t kBeside = 0x64726177;

bool has_heavy_work(const abstract::ForwardOperators& forward) {
  for (const abstract::ForwardOperator& one : forward.operators)
    if (one.kind == program::OperatorKind::kMatmul || one.kind == program::OperatorKind::kConvolution ||
        one.kind == program::OperatorKind::kPool)
      return true;
  return false;
}

bool is_lone(const abstract::ForwardOperators& forward) {
  return std::ranges::count_if(forward.operators,
                               [](const abstract::ForwardOperator& one) { return program::is_compute(one.kind); }) == 1;
}

// Parts of a million: choices by weights that are given as fractions stay choices among whole numbers.
int parts(double weight) {
  return static_cast<int>(weight * 1e6 + 0.5);
}

std::string idiom_of(const std::string& operator_name) {
  return "operator:" + operator_name;
}

HeldOut wanted_of(const GenerateOptions& options) {
  return {.idioms = options.held_out_idioms,
          .operators = options.held_out_operators || std::ranges::any_of(options.operators, is_held_out, &idiom_of)};
}

// Why a drawn module is not what was asked for; empty if it is.
std::string unwanted(const DrawnModule& drawn, const GenerateOptions& options) {
  if (options.operators.empty())
    return drawn.held_out.any() == wanted_of(options).any() ? "" : "held-out idioms that are wanted, or are not";
  const auto is_named = [&](const std::string& idiom) {
    return std::ranges::find(options.operators, idiom, &idiom_of) != options.operators.end();
  };
  if (std::ranges::none_of(drawn.idioms, is_named)) return "it has none of the operators";
  const auto is_foreign = [&](const std::string& idiom) {
    return is_held_out(idiom) && !is_named(idiom) &&
           !(idiom.starts_with("operator:") ? options.held_out_operators : options.held_out_idioms);
  };
  return std::ranges::any_of(drawn.idioms, is_foreign) ? "it has a held-out idiom that is not wanted" : "";
}

}  // namespace

void GenerateOptions::fields(base::FieldVisitor& field, bool apart) {
  field(apart ? "generator_seed" : "seed", seed, {.help = "of the generated modules", .settable = apart});
  field("fusions", fusions, {.help = "weight of modules with fused chains", .least = 0, .settable = apart});
  field("singles", singles, {.help = "weight of modules with one operator", .least = 0, .settable = apart});
  field("rewrites", rewrites, {.help = "weight of modules as people write them", .least = 0, .settable = apart});
  field("strict", strict, {.help = "share of answers under policy strict", .least = 0, .most = 1, .settable = apart});
  field("fast", fast, {.help = "share of answers in the fast variant", .least = 0, .most = 1, .settable = apart});
  field("drawn_plans", drawn,
        {.help = "share of the teacher's answers whose plan is drawn: other schedules, regions cut in two",
         .presence = base::Presence::kMayLack,
         .least = 0,
         .most = 1});
  field("realistic_sizes", realistic_sizes, {.help = "realistic tensors for a GPU", .settable = apart});
  field("chains", chains, {.help = "weight of modules with three to six regions", .least = 0, .settable = apart});
  field("rename", rename, {.help = "of generated modules: names are drawn once more, over the whole file"});
  field("lone_operators", lone_operators,
        {.help = "also generate single operators that are a KernelBench task by their hash, at other sizes"});
  field("styles", styles,
        {.help = "of generated modules: real: annotations, constants, makers of inputs and names as people's files "
                 "have them, and more operators alone",
         .presence = base::Presence::kMayLack});
  field("plan", plan,
        {.help = "of the plan before the teacher's code: nested: a line a kernel; lines: a line an operator"});
  field("held_out_idioms", held_out_idioms,
        {.help = "of generated modules: only those with a form or spelling that training never sees"});
  field("held_out_operators", held_out_operators,
        {.help = "of generated modules: only those with an operator that training never sees",
         .presence = base::Presence::kMayLack});
  field("operators", operators,
        {.help = "of generated modules: only those with one of these operators (celu), also of those that training "
                 "never sees",
         .presence = base::Presence::kMayLack});
}

struct PairGenerator::Impl {
  GenerateOptions options;
  syntax::SyntaxArena arena;
};

PairGenerator::PairGenerator(const GenerateOptions& options) : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
}
PairGenerator::~PairGenerator() = default;

GeneratedPair PairGenerator::pair(std::uint64_t index) {
  const GenerateOptions& options = impl_->options;
  const double all = options.fusions + options.singles + options.rewrites + options.chains;
  TRL_CHECK(all > 0, "all families have weight 0");
  const std::array<int, 4> weights = {parts(options.fusions / all), parts(options.singles / all),
                                      parts(options.rewrites / all), parts(options.chains / all)};
  const HeldOut wanted = wanted_of(options);
  std::string last;
  for (int attempt = 0; attempt < kMostDraws; ++attempt) {
    const std::uint64_t seed =
        base::mix64(base::mix64(base::mix64(options.seed) ^ index) ^ static_cast<std::uint64_t>(attempt));
    Draw draw(seed);
    GeneratedPair pair;
    pair.family = static_cast<Family>(draw.weighted(weights));
    DrawnModule drawn = draw_module(pair.family, draw.bits(),
                                    {.held_out = wanted,
                                     .realistic_sizes = options.realistic_sizes,
                                     .real_styles = options.styles == Styles::kReal});
    const bool wants_strict = draw.below(1000000) < parts(options.strict),
               wants_fast = draw.below(1000000) < parts(options.fast);
    last = unwanted(drawn, options);
    if (!last.empty()) continue;
    impl_->arena.clear();
    const syntax::Parsed parsed = syntax::parse(drawn.text, impl_->arena);
    TRL_CHECK(parsed.module != nullptr, "a generated module is no Python: " + parsed.error + "\n" + drawn.text);
    const syntax::SyntaxNode* module = parsed.module;
    std::string& entry_point = drawn.entry_point;
    if (options.rename && drawn.renamed && !options.counted_names)
      module = rename_identifiers(*module, entry_point, draw.bits(), impl_->arena).module;
    if (options.counted_names) {
      const Renamed counted = counted_identifiers(*syntax::plain_form(*usual_form(*module, impl_->arena), impl_->arena),
                                                  entry_point, impl_->arena);
      module = counted.module;
      if (const auto found = counted.names.find(entry_point); found != counted.names.end()) entry_point = found->second;
    }
    const Inferred inferred = infer_facts(*module, entry_point);
    pair.operator_hash = abstract::operator_hash(inferred.forward);
    const bool refused = options.refused && options.refused(pair.operator_hash);
    pair.lone_of_benchmark = refused && options.lone_operators && is_lone(inferred.forward);
    if (pair.operator_hash.empty() || (refused && !pair.lone_of_benchmark)) {
      last = "its composition is refused";
      continue;
    }
    RewriteOptions rewriting;
    rewriting.policy =
        wants_strict && has_heavy_work(inferred.forward) ? KernelPolicy::kStrict : KernelPolicy::kKernelBench;
    rewriting.variant = wants_fast ? Variant::kFast : Variant::kCanonical;
    rewriting.plan = options.drawn > 0 ? PlanForm::kLines : options.plan;
    std::optional<Rewritten> answer = rewrite(*module, inferred.facts, entry_point, rewriting, &last);
    if (!answer) continue;
    // by a seed of its own: other pairs are what they are without it
    Draw beside(base::mix64(seed) ^ kBeside);
    if (beside.below(1000000) < parts(options.drawn))
      answer = with_drawn_plan(*module, inferred.facts, entry_point, *std::move(answer), beside.bits());
    pair.id = "generated/" + std::to_string(options.seed) + "/" + std::to_string(index);
    pair.policy = answer->policy;
    pair.variant = rewriting.variant;
    pair.module = syntax::unparse(*module);
    pair.facts = leaf_facts(*module, inferred.facts, entry_point);
    pair.answer = std::move(*answer);
    pair.level = abstract::difficulty_of(inferred.forward, pair.module).level;
    pair.idioms = std::move(drawn.idioms);
    pair.entry_point = std::move(drawn.entry_point);
    return pair;
  }
  throw base::UserError("generate", "none of " + std::to_string(kMostDraws) + " drawn modules will do (the last one: " +
                                        last + "); allow other families or operators");
}

}  // namespace tritonrl::teacher
