#include "rl/summary.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

namespace tritonrl::rl {
namespace {

using record::Stage;
using record::VerdictKind;

constexpr double kFarFaster = 3;     // than the round's median
constexpr double kLittleWork = 0.3;  // of a task, in kernels

bool valid(const record::Verdict& verdict) {
  return verdict.kind != VerdictKind::kNoCode && verdict.kind != VerdictKind::kInvalid &&
         verdict.kind != VerdictKind::kCheated;
}

bool compiled(const record::Verdict& verdict) {
  return valid(verdict) && verdict.stage != Stage::kExtract && verdict.stage != Stage::kAst &&
         verdict.stage != Stage::kCompile;
}

// A mean that grows.
struct Mean {
  double sum = 0, count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
};

std::string short_number(double value) {
  char out[32];
  std::snprintf(out, sizeof(out), "%.2f", value);
  return out;
}

double median_speedup(std::span<const Group> groups) {
  std::vector<double> speedups;
  for (const Group& group : groups) {
    for (const JudgedSample& answer : group.answers) {
      if (answer.correct() && answer.verdict->timing) speedups.push_back(answer.speedup());
    }
  }
  if (speedups.empty()) return 0;
  const auto middle = speedups.begin() + static_cast<std::ptrdiff_t>(speedups.size() / 2);
  std::nth_element(speedups.begin(), middle, speedups.end());
  return *middle;
}

std::vector<std::string> oddities(const JudgedSample& answer, double median) {
  std::vector<std::string> out;
  const record::Verdict& verdict = *answer.verdict;
  if (median > 0 && answer.speedup() > kFarFaster * median)
    out.push_back(short_number(answer.speedup()) + " times as fast as the reference, the round's median is " +
                  short_number(median));
  if (verdict.work_share && *verdict.work_share < kLittleWork)
    out.push_back("its kernels do " + short_number(100 * *verdict.work_share) + " % of the work");
  if (verdict.sizes == "own") out.emplace_back("right at the task's own sizes alone");
  if (!verdict.degenerate.empty()) out.push_back("the task proves little: " + verdict.degenerate);
  return out;
}

}  // namespace

track::Numbers summary_of(std::span<const Group> groups) {
  std::map<std::string, Mean> means;
  track::Numbers out;
  double not_judged = 0;
  for (const Group& group : groups) {
    std::set<std::string> programs, right;
    for (const JudgedSample& answer : group.answers) {
      if (!answer.sample.program.empty()) programs.insert(answer.sample.program);
      if (!answer.judged()) {
        ++not_judged;
        continue;
      }
      const record::Verdict& verdict = *answer.verdict;
      means["reward_mean"].add(answer.reward());
      means["valid_rate"].add(valid(verdict));
      means["compiled_rate"].add(compiled(verdict));
      means["correct_rate"].add(answer.correct());
      if (group.level > 0) means["correct_level" + std::to_string(group.level)].add(answer.correct());
      means["stage_reward/" + std::string(to_string(verdict.stage))].add(answer.reward());
      means["answer_tokens"].add(static_cast<double>(answer.length()));
      means["cut_off_rate"].add(answer.sample.sample.finish == record::FinishReason::kLength);
      if (answer.correct() && verdict.timing) means["speedup_mean"].add(answer.speedup());
      if (answer.correct()) right.insert(answer.sample.program);
      ++out["kind/" + std::string(to_string(verdict.kind))];
      if (!verdict.rule.empty() && verdict.kind != VerdictKind::kPassed) ++out["rule/" + verdict.rule];
    }
    means["distinct_programs"].add(static_cast<double>(programs.size()));
    means["distinct_correct_programs"].add(static_cast<double>(right.size()));
    means["solved_rate"].add(!right.empty());
  }
  for (const auto& [name, mean] : means) out[name] = mean.sum / mean.count;
  out["not_judged"] = not_judged;
  return out;
}

std::vector<std::string> mark_suspects(std::span<const Group> groups, std::vector<track::Decision>& decisions,
                                       std::size_t most) {
  struct Suspect {
    std::size_t decision;
    std::size_t oddities;
    double speedup;
    std::string line;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> places;  // of decisions, by place and index
  for (std::size_t i = 0; i < decisions.size(); ++i) places[{decisions[i].key.place, decisions[i].key.index}] = i;
  const double median = median_speedup(groups);
  std::vector<Suspect> suspects;
  for (const Group& group : groups) {
    for (const JudgedSample& answer : group.answers) {
      if (!answer.correct()) continue;
      const auto place = places.find({group.place, answer.sample.sample.index});
      if (place == places.end() || decisions[place->second].weight <= 0) continue;
      std::string why;
      const std::vector<std::string> odd = oddities(answer, median);
      for (const std::string& each : odd) why += (why.empty() ? "" : "; ") + each;
      if (odd.empty()) continue;
      decisions[place->second].why = why;
      suspects.push_back({.decision = place->second,
                          .oddities = odd.size(),
                          .speedup = answer.speedup(),
                          .line = group.task + " answer " + std::to_string(answer.sample.sample.index) + ": " + why});
    }
  }
  std::stable_sort(suspects.begin(), suspects.end(), [](const Suspect& a, const Suspect& b) {
    return a.oddities != b.oddities ? a.oddities > b.oddities : a.speedup > b.speedup;
  });
  if (suspects.size() > most) suspects.resize(most);
  std::vector<std::string> lines;
  for (const Suspect& each : suspects) {
    decisions[each.decision].suspicious = true;
    lines.push_back(each.line);
  }
  return lines;
}

}  // namespace tritonrl::rl
