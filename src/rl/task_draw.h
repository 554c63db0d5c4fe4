#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/fields.h"

namespace tritonrl::rl {

// How far the draws have come, for a checkpoint: tasks drawn so far of each pool.
struct DrawState {
  std::uint64_t easier = 0, harder = 0, any = 0;
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, easier, harder, any); }
  bool operator==(const DrawState&) const = default;
};

// Which tasks a round asks: every task of a pool once before one comes again, in an order of its own each time. A
// function of seed and state alone.
class TaskDraw {
 public:
  // `levels`: of all tasks, by their number. Those of level 2 and above are the harder pool.
  TaskDraw(std::span<const int> levels, std::uint64_t seed, DrawState state = {});

  // Up to `count` different tasks. `harder_share` of them are of the harder pool as far as there are some, rounded to
  // the nearest, but at least one where the share is above 0; none: of all tasks alike.
  std::vector<std::size_t> draw(std::int64_t count, std::optional<double> harder_share);

  const DrawState& state() const { return state_; }

 private:
  void take(const std::vector<std::size_t>& pool, std::uint64_t pool_seed, std::int64_t count, std::uint64_t& drawn,
            std::vector<std::size_t>& out) const;

  std::vector<std::size_t> easier_, harder_, all_;
  std::uint64_t seed_;
  DrawState state_;
};

}  // namespace tritonrl::rl
