#include <algorithm>

#include "judge/rules/groups.h"
#include "judge/rules/work.h"
#include "program/cost.h"

// Rule work: torch does less than in the reference, counted as arithmetic (program/work.h).

namespace tritonrl::judge {
namespace {

using program::AtenCall;
using program::Program;
using program::Step;
using program::WorkKind;

// What torch may do more of than the reference: this part of the same kind, and this part of all the reference's work.
// Honest kernels leave second passes over their partial results to torch, which are small beside what they replace.
constexpr double kMoreOfKind = 0.05, kMoreOfAll = 0.02;

// At sizes that are not the task's own a kernel's partial results may be as many as its inputs.
constexpr WorkMeasure kAtSmallSizes{.same = 0.9, .rest = 0.98, .beside = false};

std::string percent(double part) {
  const int tenths = static_cast<int>(part * 1000 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

// The call of torch's that takes longest.
struct Heaviest {
  program::SourceLine at;
  std::string name;
};
Heaviest heaviest_of(const Program& program, const program::Target& target) {
  Heaviest out;
  double most = 0;
  for (const Step& step : program.forwards.back().steps) {
    const program::Operator* op = computing_operator(step);
    if (op == nullptr) continue;
    const double seconds = program::modelled_seconds(program::cost_of(program, std::get<AtenCall>(step)), target);
    if (seconds <= most) continue;
    most = seconds;
    out = {place_of(step), std::string(program::plain_name(op->name))};
  }
  return out;
}

std::string most_of_it(const Heaviest& heaviest) {
  return heaviest.name.empty() ? "" : " (most of it: " + heaviest.name + ")";
}

std::vector<WorkKind> kinds() {
  std::vector<WorkKind> out;
  for (std::size_t i = 0; i < program::kWorkKinds; ++i) out.push_back(static_cast<WorkKind>(i));
  return out;
}

// The kernels replace no kind of the reference's work. Nothing to compare where the reference does nothing at all.
Checked none_replaced(const Evidence& evidence, const BothWorks& works, const WorkMeasure& measure) {
  double want = 0;
  std::string doing;
  for (const WorkKind kind : kinds()) {
    if (replaces(works, kind, measure)) return std::nullopt;
    const double all = works.reference.sum(kind);
    want += all;
    if (all > 0) {
      doing += (doing.empty() ? "" : ", ") + percent(std::min(1.0, works.candidate.sum(kind) / all)) + " of its " +
               std::string(to_string(kind));
    }
  }
  if (want <= 0) return std::nullopt;
  const Heaviest heaviest = heaviest_of(*evidence.candidate, evidence.target);
  return Violation{
      "torch still does " + doing + " in forward" + most_of_it(heaviest) + "; the kernels replace none of it",
      heaviest.at, "let the kernel compute at least one of the reference's operators instead of torch"};
}

// Torch does all of the reference's arithmetic, and that is more than the data that kernels move in its place.
Checked moved_alone(const Evidence& evidence, const BothWorks& works) {
  double arithmetic = 0;
  for (const WorkKind kind : kinds()) {
    if (kind == WorkKind::kMoved) continue;
    if (replaces(works, kind, {})) return std::nullopt;
    arithmetic += works.reference.sum(kind);
  }
  if (arithmetic <= works.reference.sum(WorkKind::kMoved)) return std::nullopt;
  const Heaviest heaviest = heaviest_of(*evidence.candidate, evidence.target);
  return Violation{"torch still does all of the reference's arithmetic in forward" + most_of_it(heaviest) +
                       "; the kernels only move data in its place",
                   heaviest.at, "let the kernel compute at least one of the reference's operators instead of torch"};
}

Checked all_in_torch(const Evidence& evidence) {
  return none_replaced(evidence, torch_works(*evidence.reference, *evidence.candidate), kAtSmallSizes);
}

// At the task's own sizes: the same with a stricter measure, and torch does more of no kind. Moving data is free.
Checked more_in_torch(const Evidence& evidence) {
  const BothWorks works = torch_works(*evidence.reference, *evidence.candidate);
  if (auto found = none_replaced(evidence, works, {})) return found;
  if (auto found = moved_alone(evidence, works)) return found;
  double all = 0;
  for (const WorkKind kind : kinds()) all += works.reference.sum(kind);
  for (const WorkKind kind : kinds()) {
    const double want = works.reference.sum(kind), have = works.candidate.sum(kind);
    if (kind == WorkKind::kMoved || have <= (1 + kMoreOfKind) * want + kMoreOfAll * all) continue;
    const Heaviest heaviest = heaviest_of(*evidence.candidate, evidence.target);
    return Violation{
        "torch does more " + std::string(to_string(kind)) + " in forward than the reference" + most_of_it(heaviest),
        heaviest.at, "leave no arithmetic to torch that the reference does not have"};
  }
  return std::nullopt;
}

using record::Stage;
using Kind = record::VerdictKind;

constexpr Rule kWorkRules[] = {
    {"work", Stage::kCompile, Kind::kCheated, LooksAt::kRealRecording, "work", "", more_in_torch,
     "torch does no kind of the reference's arithmetic noticeably less, or some kind more", 4},
    {"work", Stage::kCompile, Kind::kCheated, LooksAt::kAnyRecording, "work", "", all_in_torch,
     "torch computes no less in forward than in the reference: the kernels replace none of it", 4},
};

}  // namespace

std::span<const Rule> work_rules() {
  return kWorkRules;
}

}  // namespace tritonrl::judge
