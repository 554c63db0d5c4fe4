#include "rl/curriculum.h"

#include <algorithm>

namespace tritonrl::rl {

void CurriculumOptions::fields(base::FieldVisitor& field) {
  field("enable_adaptive_curriculum", enable_adaptive_curriculum,
        {.help = "more tasks of level 2 and above once those of level 1 go well; off: tasks as they come"});
  field("curriculum_start_p", curriculum_start_p,
        {.help = "share of tasks of level 2 and above at the beginning", .least = 0, .most = 1});
  field("curriculum_end_p", curriculum_end_p, {.help = "and at most", .least = 0, .most = 1});
  field("curriculum_trigger_threshold", curriculum_trigger_threshold,
        {.help = "moving accuracy on level 1 above which the share grows", .least = 0, .most = 1});
  field("curriculum_step_p", curriculum_step_p, {.help = "by so much a round", .least = 0, .most = 1});
  field("curriculum_window", curriculum_window,
        {.help = "answers to tasks of level 1 that the moving accuracy is of", .least = 1, .most = 1e6});
}

Curriculum::Curriculum(const CurriculumOptions& options)
    : Curriculum(options, {.share = options.curriculum_start_p, .recent = {}}) {}

Curriculum::Curriculum(const CurriculumOptions& options, CurriculumState state)
    : options_(options), state_(std::move(state)) {}

std::optional<double> Curriculum::harder_share() const {
  if (!options_.enable_adaptive_curriculum) return std::nullopt;
  return state_.share;
}

std::optional<double> Curriculum::accuracy() const {
  if (state_.recent.empty()) return std::nullopt;
  return static_cast<double>(std::count(state_.recent.begin(), state_.recent.end(), '1')) /
         static_cast<double>(state_.recent.size());
}

void Curriculum::observe(int level, bool correct) {
  if (level != 1) return;
  state_.recent += correct ? '1' : '0';
  const auto window = static_cast<std::size_t>(options_.curriculum_window);
  if (state_.recent.size() > window) state_.recent.erase(0, state_.recent.size() - window);
}

void Curriculum::end_round() {
  if (5 * static_cast<std::int64_t>(state_.recent.size()) < options_.curriculum_window) return;
  if (*accuracy() <= options_.curriculum_trigger_threshold) return;
  // an end below the start is a share that never grows
  const double end = std::max(options_.curriculum_start_p, options_.curriculum_end_p);
  state_.share = std::min(end, state_.share + options_.curriculum_step_p);
}

}  // namespace tritonrl::rl
