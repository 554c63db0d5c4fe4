#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/database.h"
#include "base/fields.h"
#include "record/sample.h"
#include "record/task.h"
#include "record/verdict.h"

namespace tritonrl::track {

// The ledger of a reinforcement-learning run: which task was asked in which round, every answer with its tokens, every
// verdict, and what was decided of it. An SQLite file, ledger.sqlite, from which a run goes on without judging or
// training anything twice, and from which it can be explained later:
//
//   run(key, value)                                          facts of the whole run
//   tasks(task, level, source, entry_point)
//   rounds(round, done, plan, metrics)                       plan, metrics: JSON objects of numbers
//   draws(round, place, task, prompt)                        the place-th task of a round; tokens as int32
//   samples(round, place, idx, version, temperature, seed, finish, tokens, log_probabilities, text, answer, program)
//   verdicts(round, place, idx, kind, stage, rule, reward, speedup, verdict)     verdict: its JSON
//   decisions(round, place, idx, what, weight, plan_weight, why)

// Which answer of the run.
struct SampleKey {
  std::int64_t round = 0;
  std::int64_t place = 0;  // of its task in the round
  std::int64_t index = 0;  // of its answers
  auto operator<=>(const SampleKey&) const = default;
};

struct DrawnTask {
  record::Task task;
  int level = 0;
  std::vector<std::int32_t> prompt;
};

// An answer as it was judged.
struct LedgerSample {
  record::Sample sample;  // its prompt is the draw's
  double temperature = 1;
  std::string answer;   // what was judged: the text, made whole where answers leave out what they keep
  std::string program;  // a hash of its code without layout and comments; empty: there is none
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, sample, temperature, answer, program); }
};

// What became of an answer in training.
struct Decision {
  SampleKey key;
  std::string what;         // "kept", "below_floor", "duplicate", "not_top", "no_spread", "not_judged", …
  double weight = 0;        // 1 where it was imitated; its advantage where it was reinforced
  double plan_weight = 0;   // of its plan's tokens where they have one of their own
  std::string why;          // for a person; may be empty
  bool suspicious = false;  // a winner that a person should read
  bool operator==(const Decision&) const = default;
};

using Numbers = std::map<std::string, double>;

struct LedgerRound {
  std::int64_t round = 0;
  bool done = false;
  Numbers plan;     // what it was begun with: "level2_share", "temperature"
  Numbers metrics;  // what came of it, once it is done
};

// Thread-safe. UserError names the file where it cannot be written or is none of ours.
class Ledger {
 public:
  // Makes the file and its folder if they are missing.
  explicit Ledger(const std::filesystem::path& file);
  // One that is there, to be read: UserError if there is none.
  static Ledger existing(const std::filesystem::path& file);

  // Facts of the run; an empty text where there is none of this name.
  void set(const std::string& key, const std::string& value);
  std::string get(const std::string& key) const;

  // Rounds behind `last` go, with all that was asked, answered and decided in them.
  void forget_after(std::int64_t last);

  void begin_round(std::int64_t round, const Numbers& plan, std::span<const DrawnTask> tasks);
  void finish_round(std::int64_t round, const Numbers& metrics, std::span<const Decision> decisions);
  // In their order.
  std::vector<LedgerRound> rounds() const;
  std::optional<LedgerRound> round(std::int64_t round) const;
  // In the order of their places.
  std::vector<DrawnTask> tasks(std::int64_t round) const;

  // The answers to tasks from the place `first` on, of each its own: all at once, or none.
  void add_samples(std::int64_t round, std::int64_t first, std::span<const std::vector<LedgerSample>> by_place);
  bool has_samples(std::int64_t round, std::int64_t place) const;
  std::vector<LedgerSample> samples(std::int64_t round, std::int64_t place) const;  // by index

  // One verdict for several answers: all at once.
  void add_verdict(std::span<const SampleKey> answers, const record::Verdict& verdict);
  std::map<std::int64_t, record::Verdict> verdicts(std::int64_t round, std::int64_t place) const;  // by index

  std::vector<Decision> decisions(std::int64_t round) const;  // by place and index
  // Where a task was drawn, in the order of rounds.
  std::vector<SampleKey> draws_of(const std::string& task) const;  // index is 0

 private:
  Ledger(const std::filesystem::path& file, bool make);
  template <class Work>
  auto guarded(const Work& work) const;

  std::filesystem::path file_;
  mutable std::mutex mutex_;
  mutable std::optional<base::Database> database_;
};

}  // namespace tritonrl::track
