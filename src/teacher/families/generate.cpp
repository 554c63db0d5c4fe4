#include "teacher/families/generate.h"

#include <algorithm>
#include <array>

#include "abstract/difficulty.h"
#include "base/check.h"
#include "base/hash64.h"
#include "syntax/parse.h"
#include "syntax/unparse.h"
#include "teacher/facts/leaf_facts.h"
#include "teacher/families/draw.h"
#include "teacher/families/modules.h"
#include "teacher/families/rename_identifiers.h"
#include "teacher/typing/infer_facts.h"

namespace tritonrl::teacher {

namespace {

constexpr int kMostDraws = 200;
constexpr std::string_view kEntryPoint = "Model";

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

}  // namespace

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
  std::string last;
  for (int attempt = 0; attempt < kMostDraws; ++attempt) {
    const std::uint64_t seed =
        base::mix64(base::mix64(base::mix64(options.seed) ^ index) ^ static_cast<std::uint64_t>(attempt));
    Draw draw(seed);
    GeneratedPair pair;
    pair.family = static_cast<Family>(draw.weighted(weights));
    DrawnModule drawn = draw_module(pair.family, draw.bits(), options.held_out_idioms, options.realistic_sizes);
    const bool wants_strict = draw.below(1000000) < parts(options.strict),
               wants_fast = draw.below(1000000) < parts(options.fast);
    if (drawn.has_held_out != options.held_out_idioms) {
      last = "held-out idioms";
      continue;
    }
    impl_->arena.clear();
    const syntax::Parsed parsed = syntax::parse(drawn.text, impl_->arena);
    TRL_CHECK(parsed.module != nullptr, "a generated module is no Python: " + parsed.error + "\n" + drawn.text);
    const syntax::SyntaxNode* module = parsed.module;
    if (options.rename) module = rename_identifiers(*module, kEntryPoint, draw.bits(), impl_->arena).module;
    const Inferred inferred = infer_facts(*module, kEntryPoint);
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
    rewriting.plan = options.plan;
    std::optional<Rewritten> answer = rewrite(*module, inferred.facts, kEntryPoint, rewriting, &last);
    if (!answer) continue;
    pair.id = "generated/" + std::to_string(options.seed) + "/" + std::to_string(index);
    pair.policy = answer->policy;
    pair.variant = rewriting.variant;
    pair.module = syntax::unparse(*module);
    pair.facts = leaf_facts(*module, inferred.facts, kEntryPoint);
    pair.answer = std::move(*answer);
    pair.level = abstract::difficulty_of(inferred.forward, pair.module).level;
    pair.idioms = std::move(drawn.idioms);
    return pair;
  }
  TRL_CHECK(false, "no pair in so many draws; the last one: " + last);
  return {};
}

}  // namespace tritonrl::teacher
