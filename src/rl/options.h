#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/fields.h"
#include "rl/advantages.h"
#include "rl/best_of.h"
#include "rl/curriculum.h"

namespace tritonrl::rl {

enum class Method : std::uint8_t {
  kBestOf,  // the best answers of each task are imitated
  kGrpo,    // all are reinforced by how much better than the others they are
};
std::span<const char* const> enum_names(Method);

// How a run goes. How its steps are made is train::TrainOptions' to say.
struct RlOptions {
  Method method = Method::kBestOf;
  std::int64_t rounds = 10;
  std::int64_t round_tasks = 32;   // tasks asked in a round
  int samples = 10;                // answers to each
  std::int64_t tasks_at_once = 8;  // answered together; judged while the next are answered

  std::optional<double> temperature_end;  // of the last round; none: that of the first
  int distinct = 0;                       // programs wanted of each task: more answers, warmer, until they are there
  int most_samples = 20;                  // with `distinct`: answers to a task at most

  BestOfOptions best_of;
  AdvantageOptions advantage;
  CurriculumOptions curriculum;

  int workers = 0;   // candidates judged at once
  int suspects = 5;  // of each round's winners, so many that look odd are listed for a person

  void fields(base::FieldVisitor& field);
};

// UserError for options that contradict each other.
void check(const RlOptions& options);

}  // namespace tritonrl::rl
