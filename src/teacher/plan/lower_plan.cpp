#include "teacher/plan/lower_plan.h"

#include <algorithm>
#include <map>

#include "teacher/reader/imports.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;

constexpr std::size_t kMostCuts = 64;  // places that are tried

constexpr std::size_t kMostWords = 400;  // of an error

std::string on_a_line(const std::string& lines) {
  std::string out;
  for (const char c : lines) (c == '\n' ? out += "; " : out += c);
  return out;
}

class PlannedChoice : public RegionChoice {
 public:
  explicit PlannedChoice(std::span<const PlannedRegion> plan) : plan_(plan) {}

  const Schedule* of(std::string_view operators) override {
    const auto found =
        std::ranges::find_if(plan_, [&](const PlannedRegion& region) { return region.operators == operators; });
    return found == plan_.end() ? nullptr : &found->schedule;
  }
  void refused(std::string_view operators, const std::string& why) override {
    refused_.insert_or_assign(std::string(operators), why);
  }
  bool refused_any() const { return !refused_.empty(); }
  // Why a region cannot have the schedule that the plan wants; empty: it can, or was not met.
  std::string why_refused(const PlannedRegion& region) const {
    const auto found = refused_.find(region.operators);
    return found == refused_.end() ? "" : found->second;
  }

 private:
  std::span<const PlannedRegion> plan_;
  std::map<std::string, std::string, std::less<>> refused_;
};

// A way to read the module, and how much of the plan is in it.
struct Try {
  KernelPolicy policy = KernelPolicy::kKernelBench;
  std::set<const SyntaxNode*> cuts = {};
  std::optional<Rewritten> made = {};
  std::size_t found = 0;
};

class Lowering {
 public:
  Lowering(const SyntaxNode& module, const Facts& facts, std::string_view entry_point,
           std::span<const PlannedRegion> plan)
      : module_(module), facts_(facts), entry_point_(entry_point), plan_(plan), choice_(plan) {}

  base::Result<Rewritten> run() {
    Try best;
    for (const bool cuts : {false, true}) {
      for (const KernelPolicy policy : {KernelPolicy::kKernelBench, KernelPolicy::kStrict}) {
        if (best.found == plan_.size() || choice_.refused_any()) continue;
        Try attempt = look(policy, {});
        if (cuts) cut(attempt);
        take_better(best, std::move(attempt));
      }
    }
    for (const PlannedRegion& region : plan_) {
      if (!is_in(region, best)) return base::Failure{region.name + ": " + why_not(region)};
    }
    return *std::move(best.made);
  }

 private:
  Try look(KernelPolicy policy, std::set<const SyntaxNode*> cuts) {
    Try out{.policy = policy, .cuts = std::move(cuts)};
    out.made = rewrite(module_, facts_, entry_point_,
                       {.policy = policy,
                        .plan = PlanForm::kLines,
                        .most_kernels = static_cast<int>(plan_.size()),
                        .regions = &choice_,
                        .cuts = &out.cuts});
    for (const PlannedRegion& region : plan_) out.found += is_in(region, out) ? 1 : 0;
    return out;
  }

  std::string why_not(const PlannedRegion& region) const {
    if (const std::string refused = choice_.why_refused(region); !refused.empty()) return refused;
    std::string own;
    const auto free = rewrite(module_, facts_, entry_point_, {.plan = PlanForm::kLines});
    for (const PlannedRegion& each : free ? plan_of(*free) : std::vector<PlannedRegion>())
      own += (own.empty() ? "" : "; ") + on_a_line(each.operators);
    return "no kernel can be made of just these operators of the module, in these words: " +
           on_a_line(region.operators) + (own.empty() ? "" : " (the teacher's own: " + own.substr(0, kMostWords) + ")");
  }

  static bool is_in(const PlannedRegion& region, const Try& attempt) {
    return attempt.made && std::ranges::any_of(attempt.made->regions, [&](const RegionReport& made) {
             return made.plan == region.operators || std::ranges::find(made.also, region.operators) != made.also.end();
           });
  }

  static void take_better(Try& best, Try other) {
    if (other.found > best.found) best = std::move(other);
  }

  // Operators inside expressions are fused with what is around them unless they are cut off.
  void cut(Try& best) {
    std::vector<const SyntaxNode*> places;
    walk(module_, [&](const SyntaxNode& node) {
      const Fact* fact = facts_.of(&node);
      const bool computes = node.is("Call") || node.is("BinOp") || node.is("UnaryOp") || node.is("Compare");
      if (computes && fact != nullptr && fact->is_tensor() && places.size() < kMostCuts) places.push_back(&node);
    });
    for (bool more = true; more && best.found < plan_.size();) {
      more = false;
      for (const SyntaxNode* place : places) {
        if (best.cuts.contains(place)) continue;
        std::set<const SyntaxNode*> cuts = best.cuts;
        cuts.insert(place);
        const std::size_t before = best.found;
        take_better(best, look(best.policy, std::move(cuts)));
        more = more || best.found > before;
        if (best.found == plan_.size()) return;
      }
    }
  }

  const SyntaxNode& module_;
  const Facts& facts_;
  const std::string_view entry_point_;
  const std::span<const PlannedRegion> plan_;
  PlannedChoice choice_;
};

}  // namespace

base::Result<Rewritten> lower_plan(const SyntaxNode& module, const Facts& facts, std::string_view entry_point,
                                   std::span<const PlannedRegion> plan) {
  return Lowering(module, facts, entry_point, plan).run();
}

}  // namespace tritonrl::teacher
