#include "teacher/families/loss_table.h"

#include <vector>

#include "teacher/families/drawn_line.h"

namespace tritonrl::teacher {
namespace {

using enum Loss::Inputs;
constexpr program::Words<Loss::Inputs, 12> kInputs = {{{"same", kSame},
                                                       {"probabilities", kProbabilities},
                                                       {"classes", kClasses},
                                                       {"log_classes", kLogClasses},
                                                       {"distributions", kDistributions},
                                                       {"signs", kSigns},
                                                       {"rankings", kRankings},
                                                       {"pairs", kPairs},
                                                       {"triple", kTriple},
                                                       {"binary", kBinary},
                                                       {"variances", kVariances},
                                                       {"counts", kCounts}}};

// "inputs same; weight 2; arguments beta=0.5"
std::vector<Loss> read_losses() {
  std::vector<Loss> all;
  for (const program::OperatorEntry& entry : program::operator_entries()) {
    if (entry.kind != program::OperatorKind::kLoss || !entry.has("drawn")) continue;
    const DrawnLine line(entry);
    all.push_back({.name = entry.name,
                   .module = layer_of(entry),
                   .arguments = line.text("arguments"),
                   .inputs = line.named("inputs", kInputs),
                   .weight = line.number("weight")});
  }
  return all;
}

}  // namespace

std::span<const Loss> drawn_losses() {
  static const std::vector<Loss> kLosses = read_losses();
  return kLosses;
}

}  // namespace tritonrl::teacher
