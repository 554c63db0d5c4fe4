#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/fields.h"

namespace tritonrl::rl {

// How hard tasks are: a share of them is of level 2 and above, which grows once those of level 1 go well.
struct CurriculumOptions {
  bool enable_adaptive_curriculum = true;
  double curriculum_start_p = 0.1;            // share of harder tasks at the beginning
  double curriculum_end_p = 0.5;              // and at most
  double curriculum_trigger_threshold = 0.4;  // of the moving accuracy on level 1 above which the share grows
  double curriculum_step_p = 0.05;            // by so much a round
  std::int64_t curriculum_window = 200;       // answers to tasks of level 1 that the moving accuracy is of

  void fields(base::FieldVisitor& field);
};

// What a checkpoint keeps of it.
struct CurriculumState {
  double share = 0;
  std::string recent;  // '1' or '0' an answer to a task of level 1, the oldest first
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, share, recent); }
  bool operator==(const CurriculumState&) const = default;
};

class Curriculum {
 public:
  explicit Curriculum(const CurriculumOptions& options);
  // Goes on where an earlier one stood.
  Curriculum(const CurriculumOptions& options, CurriculumState state);

  // Share of tasks of level 2 and above in the next round; none: tasks are drawn as they come.
  std::optional<double> harder_share() const;
  // Of the answers in the window; none before there is one.
  std::optional<double> accuracy() const;

  // An answer that was judged. Only those to tasks of level 1 count.
  void observe(int level, bool correct);
  // After all answers of a round. Nothing grows before a fifth of the window is there.
  void end_round();

  const CurriculumState& state() const { return state_; }

 private:
  CurriculumOptions options_;
  CurriculumState state_;
};

}  // namespace tritonrl::rl
