#include "abstract/difficulty.h"

#include "abstract/operator_names.h"
#include "abstract/text_hints.h"
#include "program/level.h"

namespace tritonrl::abstract {
namespace {

// A loop of unknown length is rarely short: its calls count as so many, which makes one heavy layer in it several.
constexpr int kCallsOfLoop = 4;

// What another library makes is told by its name: a whole model that it loads, or one of its layers, which is named as
// classes are.
int weight_of_unknown(std::string_view name) {
  constexpr int kWholeModel = 3;
  if (name == "?from_pretrained" || name == "?from_config" || name == "?create_model") return kWholeModel;
  return name.size() > 1 && name[1] >= 'A' && name[1] <= 'Z' ? 1 : 0;
}

Difficulty from_hints(const TextHints& hints) {
  Difficulty difficulty;
  difficulty.level = hints.fusion_words ? 2 : 1;
  difficulty.why = hints.why;
  difficulty.why.push_back(hints.fusion_words ? "no operator was found; the text speaks of a fusion"
                                              : "no operator was found");
  return difficulty;
}

}  // namespace

Difficulty difficulty_of(const program::Program& program) {
  program::LevelEstimate estimate = program::level_of(program);
  return {.level = estimate.level, .why = std::move(estimate.why), .from_program = true};
}

Difficulty difficulty_of(const ForwardOperators& forward, std::string_view source) {
  const TextHints hints = text_hints(forward, source);
  program::LevelCounts counts;
  for (const ForwardOperator& op : forward.operators) {
    if (!program::is_compute(op.kind)) continue;
    const OperatorName* known = op.known ? find_operator_name(op.name) : nullptr;
    counts.add(op.name, op.kind, known == nullptr ? weight_of_unknown(op.name) : known->heavy,
               op.repeated ? kCallsOfLoop : 1);
  }
  if (counts.calls == 0) return from_hints(hints);
  program::LevelEstimate estimate = program::level_of(counts);
  // The rule that decided stands last.
  estimate.why.insert(estimate.why.end() - 1, hints.why.begin(), hints.why.end());
  return {.level = estimate.level, .why = std::move(estimate.why), .from_program = false};
}

}  // namespace tritonrl::abstract
