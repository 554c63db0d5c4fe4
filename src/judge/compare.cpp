#include "judge/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "judge/elements.h"
#include "runner/tolerance.h"

namespace tritonrl::judge {
namespace {

using program::DType;

std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), "%.9g", value);
  return buffer;
}

std::string text(const std::vector<std::int64_t>& sizes) {
  std::string out;
  for (const std::int64_t size : sizes) out += (out.empty() ? "" : ", ") + std::to_string(size);
  return "[" + out + "]";
}

std::string position(std::size_t element, const std::vector<std::int64_t>& sizes) {
  std::string out;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(sizes[d], 1));
    out = std::to_string(element % size) + (out.empty() ? "" : ", ") + out;
    element /= size;
  }
  return "[" + out + "]";
}

double largest_of(const Elements& elements) {
  double largest = 0;
  for (std::size_t i = 0; i < elements.count(); ++i) {
    if (std::isfinite(elements[i])) largest = std::max(largest, std::abs(elements[i]));
  }
  return largest;
}

// One output as the referee knows it.
struct Known {
  Elements want;
  std::optional<Elements> exact, coarse;

  // What the reference errs by there, in its own precision or as rounded as is allowed.
  double own_error(std::size_t i) const {
    const double truth = (*exact)[i];
    if (!std::isfinite(truth)) return 0;
    const auto error = [&](double value) { return std::isfinite(value) ? std::abs(value - truth) : 0; };
    return std::max(error(want[i]), coarse ? error((*coarse)[i]) : 0);
  }
};

std::optional<Elements> elements_at(const std::vector<runner::TensorData>* outputs, std::size_t t,
                                    const runner::TensorData& like, std::size_t count) {
  if (outputs == nullptr || t >= outputs->size() || (*outputs)[t].sizes != like.sizes) return std::nullopt;
  Elements out((*outputs)[t]);
  return out.count() == count ? std::optional(std::move(out)) : std::nullopt;
}

constexpr std::size_t kMedianOf = 1 << 14;

// Of elements at equal distances, where there are many.
double median_of(std::vector<double>& values) {
  if (const std::size_t every = values.size() / kMedianOf; every > 1) {
    for (std::size_t i = 0; i < values.size() / every; ++i) values[i] = values[i * every];
    values.resize(values.size() / every);
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Where the truth is known. The usual error is the median: a few elements behind a jump do not excuse the others.
double absolute_tolerance(double named, const Known& known) {
  double largest = 0, most = 0;
  std::vector<double> errors, values;
  errors.reserve(known.want.count());
  values.reserve(known.want.count());
  for (std::size_t i = 0; i < known.want.count(); ++i) {
    if (!std::isfinite(known.want[i]) || !std::isfinite((*known.exact)[i])) continue;
    values.push_back(std::abs(known.want[i]));
    largest = std::max(largest, values.back());
    errors.push_back(known.own_error(i));
    most = std::max(most, errors.back());
  }
  if (errors.empty()) return named;
  return runner::absolute_tolerance(named, largest, median_of(values), median_of(errors), most);
}

constexpr double kRowErrors = 8;

// By row of the last dimension: what CompareOptions::by_row allows there.
std::vector<double> row_tolerances(const Known& known, std::size_t row, double rtol) {
  std::vector<double> out((known.want.count() + row - 1) / row, 0);
  std::vector<double> errors(out.size(), 0);
  for (std::size_t i = 0; i < known.want.count(); ++i) {
    if (std::isfinite(known.want[i])) out[i / row] = std::max(out[i / row], rtol * std::abs(known.want[i]));
    if (known.exact) errors[i / row] = std::max(errors[i / row], kRowErrors * known.own_error(i));
  }
  for (std::size_t r = 0; r < out.size(); ++r) out[r] += errors[r];
  return out;
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

Tolerances tolerances_of(const JudgeOptions& options) {
  Tolerances out;
  if (options.protocol == "kernelbench-2024") out.single = {1e-2, 1e-2};
  for (Tolerance* one : {&out.single, &out.narrow}) {
    if (options.rtol) one->rtol = *options.rtol;
    if (options.atol) one->atol = *options.atol;
  }
  return out;
}

Tolerance tolerance_of(DType dtype, const Tolerances& tolerances) {
  switch (dtype) {
    case DType::kFloat64:
    case DType::kFloat32:
    case DType::kComplex64:
    case DType::kComplex128:
      return tolerances.single;
    default:
      return float_scalar(dtype) ? tolerances.narrow : Tolerance{};
  }
}

Comparison compare(const std::vector<runner::TensorData>& expected, const std::vector<runner::TensorData>& got,
                   const Truth& truth, const CompareOptions& options) {
  Comparison result;
  const auto differ = [&](const std::string& message, const std::string& want, const std::string& have) {
    result.equal = false;
    if (!result.message.empty()) return;
    result.message = message + ": expected " + want + ", got " + have;
    result.expected = want;
    result.got = have;
  };
  if (expected.size() != got.size()) {
    differ("number of output tensors", std::to_string(expected.size()), std::to_string(got.size()));
    return result;
  }
  for (std::size_t t = 0; t < expected.size(); ++t) {
    const std::string name = "output " + std::to_string(t);
    if (expected[t].sizes != got[t].sizes) {
      differ(name + ", shape", text(expected[t].sizes), text(got[t].sizes));
      continue;
    }
    if (expected[t].dtype != got[t].dtype && result.other_dtype.empty()) {
      result.other_dtype = name + " is " + std::string(to_string(got[t].dtype)) + ", the reference's is " +
                           std::string(to_string(expected[t].dtype));
    }
    if (expected[t].dtype == got[t].dtype && expected[t].bytes == got[t].bytes)
      continue;  // as pointwise work mostly is
    Tolerance tolerance = tolerance_of(expected[t].dtype, options.tolerances);
    if (options.by_row && !float_scalar(expected[t].dtype)) continue;  // rows of zeros have no largest element
    const Elements have(got[t]);
    Known known{.want = Elements(expected[t]), .exact = {}, .coarse = {}};
    const Elements& want = known.want;
    known.exact = elements_at(truth.exact, t, expected[t], want.count());
    known.coarse = elements_at(truth.coarse, t, expected[t], want.count());
    if (options.other_type) {
      if (!float_scalar(expected[t].dtype)) continue;
      tolerance = options.tolerances.narrow;
      tolerance.atol *= std::max(1.0, largest_of(want));
      if (known.exact) tolerance.atol = std::max(tolerance.atol, absolute_tolerance(0, known));
    } else if (known.exact) {
      tolerance.atol = absolute_tolerance(tolerance.atol, known);
    }
    const std::size_t row =
        expected[t].sizes.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(1, expected[t].sizes.back()));
    std::vector<double> rows;
    if (options.by_row && float_scalar(expected[t].dtype)) rows = row_tolerances(known, row, tolerance.rtol);
    const auto allowed = [&](double value, std::size_t i) {
      return (rows.empty() ? tolerance.atol : std::max(tolerance.atol, rows[i / row])) +
             tolerance.rtol * std::abs(value);
    };
    for (std::size_t i = 0; i < std::min(want.count(), have.count()); ++i) {
      const double a = want[i];
      const double b = have[i];
      if (same(a, b)) continue;
      const double error = std::abs(a - b);
      bool right = std::isfinite(a) && error <= allowed(a, i);
      if (!right && known.exact) {
        const double exact = (*known.exact)[i];
        right = same(exact, b) || (std::isfinite(exact) &&
                                   std::abs(exact - b) <= allowed(exact, i) + runner::kSameErrors * known.own_error(i));
      }
      if (std::isfinite(error)) {
        result.max_error = std::max(result.max_error, error);
        if (allowed(a, i) > 0) result.max_excess = std::max(result.max_excess, error / allowed(a, i));
      }
      if (right) continue;
      if (result.message.empty()) differ(name + position(i, expected[t].sizes), text(a), text(b));
      result.equal = false;
    }
  }
  return result;
}

}  // namespace tritonrl::judge
