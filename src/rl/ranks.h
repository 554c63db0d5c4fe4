#pragma once

#include <string>
#include <vector>

namespace tritonrl::rl {

// The processes that reinforce one model together. Each answers a share of a round's tasks and judges the answers; the
// first keeps the ledger, decides what is learnt from and says so to the others; all learn it together. Calls are
// collective: all ranks make the same ones in the same order. Implemented by LearnerRanks (learner/learner_ranks.h) and
// tests.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  // What each of them says, by rank.
  virtual std::vector<std::string> all(const std::string& mine) = 0;

  bool first() const { return rank() == 0; }
  // What the first says; what the others give is not heard.
  std::string from_first(const std::string& mine) { return all(first() ? mine : std::string()).front(); }
};

// This process alone.
class OneRank : public Ranks {
 public:
  int rank() const override { return 0; }
  int ranks() const override { return 1; }
  std::vector<std::string> all(const std::string& mine) override { return {mine}; }
};

}  // namespace tritonrl::rl
