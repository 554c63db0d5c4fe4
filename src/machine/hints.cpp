#include "machine/hints.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

// No access is wider than sixteen bytes: where a longer run breaks between two of them, as rows do that wrap around,
// nobody is misled. Nor is it new that rows behind the last are all replaced by the first: what they give is left out.
constexpr std::int64_t kWidestAccess = 16;  // elements, of one byte

void read_axes(const Operation& op, const char* name, std::int64_t Hint::Axis::*field, std::vector<Hint::Axis>& axes) {
  const Attribute* attribute = op.attribute(name);
  const auto* values = attribute != nullptr ? std::get_if<Dense>(attribute) : nullptr;
  if (values == nullptr || values->bits.empty()) return;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::uint64_t bits = values->bits[values->splat ? 0 : std::min(i, values->bits.size() - 1)];
    axes[i].*field = std::max<std::int64_t>(1, static_cast<std::int32_t>(bits));
  }
}

std::int64_t element(const Worker& worker, const Step& step, std::int64_t i) {
  const int size = size_of(step.scalar);
  std::uint64_t bits = 0;
  std::memcpy(&bits, worker.frame + step.in[0] + i * size, static_cast<std::size_t>(size));
  const int unused = 64 - 8 * size;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

// It follows its neighbour along an axis. Divisibility is promised of the first values of such runs: the compiler takes
// whole runs at once.
bool continues_a_run(const Worker& worker, const Step& step, const Hint& hint, std::int64_t i, std::int64_t scale) {
  std::int64_t stride = 1;
  for (std::size_t a = hint.shape.size(); a-- > 0; stride *= hint.shape[a]) {
    if (i / stride % hint.shape[a] > 0 && element(worker, step, i) == element(worker, step, i - stride) + scale)
      return true;
  }
  return false;
}

const Step* broken(Worker& worker, const Step& step, const std::string& how) {
  worker.find(step, Finding::Kind::kFalseHint, how + "; the compiler relies on it");
  return &step + 1;
}

}  // namespace

std::unique_ptr<Hint> hint_of(const Operation& op, const Type& result) {
  if (!is_integer(result.scalar) && result.scalar != Scalar::kPointer) return nullptr;
  auto out = std::make_unique<Hint>();
  out->shape = result.shape;
  if (result.scalar == Scalar::kPointer) out->element_bytes = std::max(1, size_of(result.element));
  out->axes.resize(std::max<std::size_t>(1, result.shape.size()));
  const std::vector<Hint::Axis> nothing = out->axes;
  read_axes(op, "tt.divisibility", &Hint::Axis::divisibility, out->axes);
  read_axes(op, "tt.contiguity", &Hint::Axis::contiguity, out->axes);
  read_axes(op, "tt.constancy", &Hint::Axis::constancy, out->axes);
  return out->axes == nothing ? nullptr : std::move(out);
}

const Step* run_hint(Worker& worker, const Step& step) {
  if (!worker.options->check_hints) return &step + 1;
  const auto& hint = static_cast<const Hint&>(*step.detail);
  const std::int64_t scale = step.scalar == Scalar::kPointer ? hint.element_bytes : 1;
  std::int64_t stride = 1;  // between neighbours along the axis
  for (std::size_t a = hint.axes.size(); a-- > 0;) {
    const Hint::Axis& axis = hint.axes[a];
    const std::int64_t size = hint.shape.empty() ? 1 : hint.shape[a];
    const std::int64_t run = std::min(axis.contiguity, kWidestAccess);
    for (std::int64_t i = 0; i < step.count; ++i) {
      const std::int64_t value = element(worker, step, i);
      const std::int64_t index = i / stride % size;
      if (index % run == 0) {
        if (value % axis.divisibility != 0 && !continues_a_run(worker, step, hint, i, scale))
          return broken(worker, step,
                        std::to_string(value) + " is no multiple of " + std::to_string(axis.divisibility));
      } else if (value != element(worker, step, i - stride) + scale &&
                 (index < run || value != 0 || element(worker, step, i - stride) != 0)) {
        return broken(worker, step,
                      "values that are said to follow one another do not: " +
                          std::to_string(element(worker, step, i - stride)) + ", " + std::to_string(value));
      }
      if (index % axis.constancy != 0 && value != element(worker, step, i - stride))
        return broken(worker, step,
                      "values that are said to be equal are not: " + std::to_string(element(worker, step, i - stride)) +
                          ", " + std::to_string(value));
    }
    stride *= size;
  }
  return &step + 1;
}

}  // namespace tritonrl::machine
