#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "rl/learner.h"
#include "track/ledger.h"

namespace tritonrl::rl {

// What ranks tell one another in a round, as JSON.

// Of the first to all, before anything is asked: what the others answer of it is theirs to find out.
struct RoundCall {
  std::int64_t round = 0;  // 0: there is none any more
  double temperature = 1;
  std::vector<std::size_t> tasks;      // of the pool, by place
  std::vector<std::int64_t> answered;  // places at which answers begin that the first has already
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, round, temperature, tasks, answered); }
};

// Of each to the first: the answers to one task, with their verdicts by index.
struct PlaceShare {
  std::int64_t place = 0;
  std::vector<track::LedgerSample> answers;
  std::map<std::string, record::Verdict> verdicts;
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, place, answers, verdicts); }
};
struct RoundShare {
  bool complete = false;  // else it was stopped
  std::vector<PlaceShare> places;
  std::map<std::string, std::string> bad_tasks;
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, complete, places, bad_tasks); }
};

// Of the first to all: what is learnt.
struct RoundLessons {
  bool stopped = false;  // the run ends here
  std::vector<Lesson> lessons;
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, stopped, lessons); }
};

template <base::HasFields T>
std::string told(const T& what) {
  return base::to_json(what).dump();
}
// Our own words: a mistake in them is a bug.
template <base::HasFields T>
T heard(const std::string& text) {
  T out;
  base::read_fields(base::Json::parse(text), out);
  return out;
}

// The places that begin an answered group of tasks and are this rank's to answer: every so many-th of those that nobody
// has answered.
std::vector<std::int64_t> share_of(const RoundCall& call, std::int64_t tasks_at_once, int rank, int ranks);

// What the ledger has of these groups, and the way into another.
RoundShare share_from(const track::Ledger& ledger, std::int64_t round, std::span<const std::int64_t> firsts,
                      std::int64_t tasks_at_once, std::int64_t tasks);
void put_share(const RoundShare& share, std::int64_t round, std::span<const std::int64_t> firsts,
               std::int64_t tasks_at_once, track::Ledger& ledger);

}  // namespace tritonrl::rl
