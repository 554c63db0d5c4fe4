#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tritonrl::judge {

// An integer constant of a task: its value, and the name that it is assigned to (empty for a literal inside a
// function).
struct SizeConstant {
  std::int64_t value = 0;
  std::string name;
  auto operator<=>(const SizeConstant&) const = default;
};

// Other values for the integer constants of a task. Equal constants mostly change together, so that sizes that belong
// together stay together.
using Resizing = std::map<SizeConstant, std::int64_t>;

// What the reference does at some sizes.
struct SizeCost {
  double bytes = 0;       // of all storages of one forward
  double matrix_ops = 0;  // of ATen calls
  double scalar_ops = 0;
};

struct SizeLimits {
  double bytes = 1.2e6;
  double matrix_ops = 1.5e7;
  double scalar_ops = 6e5;
  SizeLimits times(double factor) const { return {bytes * factor, matrix_ops * factor, scalar_ops * factor}; }
  bool allow(const SizeCost& cost) const {
    return cost.bytes <= bytes && cost.matrix_ops <= matrix_ops && cost.scalar_ops <= scalar_ops;
  }
};

// Records the reference at each of these sizes; none where it refuses.
using SizeProbe = std::function<std::vector<std::optional<SizeCost>>(const std::vector<Resizing>&)>;

// The sizes at which a task is judged where its real ones are too large to compute.
struct TaskSizes {
  std::optional<Resizing> small;  // the task's own proportions; empty map: the real sizes are small enough
  std::optional<Resizing> tiny;   // the smallest that the reference accepts
  std::optional<Resizing> odd;    // no power of two, no multiples of blocks
  bool dear = false;  // `small` is far beyond the limits, and nothing smaller is accepted: the only one then
};

// `constants`: all of the task. Deterministic.
TaskSizes search_sizes(std::vector<SizeConstant> constants, const SizeProbe& probe, const SizeLimits& limits = {});

// Larger sizes than `small`, cheapest first: one constant at its real value, the others small. For candidates that
// refuse small sizes or take another path at large ones.
std::vector<Resizing> search_larger(std::vector<SizeConstant> constants, const Resizing& small, const SizeProbe& probe,
                                    const SizeLimits& limits = {});

// Sizes that are multiples of such blocks, or of what they and the task's own constants have in common, cheap ones
// first: for candidates whose kernels have no masks. Which multiples follows from `secret`.
std::vector<Resizing> search_fitted(std::vector<SizeConstant> constants, const std::vector<std::int64_t>& blocks,
                                    std::uint64_t secret, const SizeProbe& probe, const SizeLimits& limits = {});

// Fewer rows than `small`, for candidates whose kernels have a program for each of very many. None: no such size.
std::optional<Resizing> search_lighter(std::vector<SizeConstant> constants, const Resizing& small,
                                       const SizeProbe& probe, const SizeLimits& limits = {});

// The value divided by its prime factors, smallest first, until it is at most `most`; a prime beyond it becomes `most`.
std::int64_t shrunk(std::int64_t value, std::int64_t most);

}  // namespace tritonrl::judge
