#include "rl/explain.h"

#include <cstdio>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.h"

namespace tritonrl::rl {
namespace {

std::string fixed(double value, int digits) {
  char out[48];
  std::snprintf(out, sizeof(out), "%.*f", digits, value);
  return out;
}

std::string few_tasks(const track::Ledger& ledger) {
  std::string out;
  for (const track::LedgerRound& round : ledger.rounds()) {
    for (const track::DrawnTask& drawn : ledger.tasks(round.round)) {
      if (out.size() > 200) return out;
      out += (out.empty() ? "" : ", ") + drawn.task.id;
    }
  }
  return out;
}

struct Best {
  double reward = -1;
  std::int64_t round = 0, index = 0;
  std::string answer;
};

void tell_answer(std::ostream& out, const track::LedgerSample& each, const record::Verdict* verdict,
                 const track::Decision* decision) {
  out << "  answer " << each.sample.index << " (" << each.sample.tokens.size() << " tokens, program "
      << (each.program.empty() ? "none" : each.program.substr(0, 8)) << "): ";
  if (verdict == nullptr) {
    out << "no verdict";
  } else {
    out << to_string(verdict->kind) << (verdict->rule.empty() ? "" : " (" + verdict->rule + ")");
    if (verdict->reward) out << ", reward " << fixed(*verdict->reward, 3);
    if (verdict->timing)
      out << ", speed-up " << fixed(verdict->timing->speedup, 2) << (verdict->timing->measured ? "" : " (modelled)");
    if (!verdict->message.empty()) out << ": " << verdict->message;
  }
  if (decision != nullptr) {
    out << "\n    " << decision->what;
    if (decision->weight != 0) out << ", weight " << fixed(decision->weight, 3);
    if (decision->plan_weight != 0) out << ", plan's weight " << fixed(decision->plan_weight, 3);
    if (!decision->why.empty()) out << "; odd: " << decision->why;
  }
  out << "\n";
}

}  // namespace

std::string explain_task(const track::Ledger& ledger, const std::string& task) {
  const std::vector<track::SampleKey> draws = ledger.draws_of(task);
  if (draws.empty())
    throw base::UserError("rl", "the run never asked " + task + "; it asked, among others: " + few_tasks(ledger));
  std::ostringstream out;
  Best best;
  for (const track::SampleKey& draw : draws) {
    const std::optional<track::LedgerRound> round = ledger.round(draw.round);
    out << "round " << draw.round << (round && round->done ? "" : ", not yet done");
    if (round && round->plan.contains("temperature"))
      out << ", temperature " << fixed(round->plan.at("temperature"), 2);
    out << "\n";
    const std::map<std::int64_t, record::Verdict> verdicts = ledger.verdicts(draw.round, draw.place);
    std::map<std::int64_t, track::Decision> decisions;
    for (track::Decision& each : ledger.decisions(draw.round)) {
      if (each.key.place == draw.place) decisions.emplace(each.key.index, std::move(each));
    }
    for (const track::LedgerSample& each : ledger.samples(draw.round, draw.place)) {
      const auto verdict = verdicts.find(each.sample.index);
      const auto decision = decisions.find(each.sample.index);
      const record::Verdict* found = verdict == verdicts.end() ? nullptr : &verdict->second;
      tell_answer(out, each, found, decision == decisions.end() ? nullptr : &decision->second);
      if (found == nullptr || !found->reward || *found->reward <= best.reward) continue;
      best = {.reward = *found->reward, .round = draw.round, .index = each.sample.index, .answer = each.answer};
    }
  }
  if (best.reward > 0)
    out << "the best, answer " << best.index << " of round " << best.round << ":\n\n" << best.answer << "\n";
  return out.str();
}

}  // namespace tritonrl::rl
