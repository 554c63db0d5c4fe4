#include "rl/best_of.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace tritonrl::rl {

void BestOfOptions::fields(base::FieldVisitor& field) {
  field("keep_best", keep_best, {.help = "answers of each task that are imitated, at most", .least = 1});
  field("reward_floor", reward_floor,
        {.help = "reward that an answer must earn to be imitated (0.7: right on every input)", .least = 0, .most = 1});
  field("replay_rounds", replay_rounds,
        {.help = "winners of so many rounds before are trained on again", .least = 0, .most = 1000});
}

std::vector<track::Decision> choose_best(std::int64_t round, const Group& group, const BestOfOptions& options) {
  std::vector<track::Decision> out(group.answers.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < group.answers.size(); ++i) {
    const JudgedSample& answer = group.answers[i];
    out[i].key = {round, group.place, answer.sample.sample.index};
    if (!answer.judged()) {
      out[i].what = "not_judged";
    } else if (answer.reward() < options.reward_floor) {
      out[i].what = "below_floor";
    } else {
      order.push_back(i);
    }
  }
  const auto rank = [&](std::size_t i) {
    const JudgedSample& answer = group.answers[i];
    return std::tuple(-answer.reward(), -answer.speedup(), answer.length(), i);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::set<std::string> programs;
  int kept = 0;
  for (const std::size_t i : order) {
    const std::string& program = group.answers[i].sample.program;
    if (!programs.insert(program).second) {
      out[i].what = "duplicate";
    } else if (kept == options.keep_best) {
      out[i].what = "not_top";
    } else {
      out[i].what = "kept";
      out[i].weight = 1;
      ++kept;
    }
  }
  return out;
}

}  // namespace tritonrl::rl
