#include "report/material/ledger_answers.h"

#include <map>

#include "track/ledger.h"

namespace tritonrl::report {
namespace {

std::string remark_of(const track::Decision& decision) {
  return decision.why.empty() ? decision.what : decision.what + ": " + decision.why;
}

}  // namespace

AnswerTally ledger_answers(const std::filesystem::path& file) {
  AnswerTally tally;
  const track::Ledger ledger = track::Ledger::existing(file);
  for (const track::LedgerRound& round : ledger.rounds()) {
    std::map<track::SampleKey, track::Decision> decisions;
    for (const track::Decision& decision : ledger.decisions(round.round)) decisions.emplace(decision.key, decision);
    const std::vector<track::DrawnTask> tasks = ledger.tasks(round.round);
    for (std::size_t place = 0; place < tasks.size(); ++place) {
      const auto at = static_cast<std::int64_t>(place);
      const std::map<std::int64_t, record::Verdict> verdicts = ledger.verdicts(round.round, at);
      for (const track::LedgerSample& sample : ledger.samples(round.round, at)) {
        const auto verdict = verdicts.find(sample.sample.index);
        if (verdict == verdicts.end()) continue;  // the run was stopped before
        Answer answer;
        answer.round = round.round;
        answer.result.take(sample.sample);
        answer.result.take(verdict->second);
        answer.result.id = tasks[place].task.id;
        answer.result.level = tasks[place].level;
        answer.result.program = sample.program;
        answer.result.text = sample.answer;
        answer.verdict = verdict->second;
        const auto decision = decisions.find({.round = round.round, .place = at, .index = verdict->first});
        if (decision != decisions.end()) answer.remark = remark_of(decision->second);
        tally.add(answer);
        if (decision != decisions.end() && decision->second.suspicious) tally.add_suspicious(answer);
      }
    }
  }
  return tally;
}

}  // namespace tritonrl::report
