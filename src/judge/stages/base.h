#pragma once

#include <memory>

#include "judge/stages/compile.h"

namespace tritonrl::judge {

// The size at which values are judged, `small` or another, and the candidate there.
struct Base {
  std::shared_ptr<const SizedTask> task;
  SizedCandidate candidate;

  const Draw& original() const { return *task->find("original"); }
};

inline constexpr std::size_t kMaxLarger = 6;  // larger sizes that are tried for one candidate

// `small`; a lighter size where it has very many programs, a larger one where the candidate refuses it.
Reached<Base> choose_base(const Trial& trial, SizedCandidate small, TrialLog& log);

// The candidate at that size; nothing where it refuses, or there is no such size. The rules on recordings hold there.
Reached<std::optional<Base>> base_at(const Trial& trial, std::shared_ptr<const SizedTask> size);

}  // namespace tritonrl::judge
