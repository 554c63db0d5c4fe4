#include "judge/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

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

// Where the truth is known. The usual error is the median: a few elements behind a jump do not excuse the others.
double absolute_tolerance(double named, const Elements& want, const Elements& truth) {
  double largest = 0;
  std::vector<double> errors;
  errors.reserve(want.count());
  for (std::size_t i = 0; i < want.count(); ++i) {
    if (!std::isfinite(want[i]) || !std::isfinite(truth[i])) continue;
    largest = std::max(largest, std::abs(want[i]));
    errors.push_back(std::abs(want[i] - truth[i]));
  }
  if (errors.empty()) return named;
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  const double usual = *middle, most = *std::max_element(errors.begin(), errors.end());
  return runner::absolute_tolerance(named, largest, usual, most);
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

Tolerance tolerance_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
    case DType::kFloat32:
    case DType::kComplex64:
    case DType::kComplex128:
      return {1e-4, 1e-4};
    default:
      return float_scalar(dtype) ? Tolerance{1e-2, 1e-2} : Tolerance{};
  }
}

Comparison compare(const std::vector<runner::TensorData>& expected, const std::vector<runner::TensorData>& got,
                   const std::vector<runner::TensorData>& oracle, bool other_type) {
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
    Tolerance tolerance = tolerance_of(expected[t].dtype);
    const Elements want(expected[t]);
    const Elements have(got[t]);
    std::optional<Elements> truth;
    if (t < oracle.size() && oracle[t].sizes == expected[t].sizes) truth.emplace(oracle[t]);
    if (truth && truth->count() != want.count()) truth.reset();
    if (other_type) {
      if (!float_scalar(expected[t].dtype)) continue;
      tolerance = tolerance_of(DType::kFloat16);
      tolerance.atol *= std::max(1.0, largest_of(want));
      if (truth) tolerance.atol = std::max(tolerance.atol, absolute_tolerance(0, want, *truth));
    } else if (truth) {
      tolerance.atol = absolute_tolerance(tolerance.atol, want, *truth);
    }
    const auto allowed = [&](double value) { return tolerance.atol + tolerance.rtol * std::abs(value); };
    for (std::size_t i = 0; i < std::min(want.count(), have.count()); ++i) {
      const double a = want[i];
      const double b = have[i];
      if (same(a, b)) continue;
      const double error = std::abs(a - b);
      bool right = std::isfinite(a) && error <= allowed(a);
      if (!right && truth) {
        const double exact = (*truth)[i];
        const double own = std::isfinite(a) ? std::abs(a - exact) : 0;
        right = same(exact, b) ||
                (std::isfinite(exact) && std::abs(exact - b) <= allowed(exact) + runner::kSameErrors * own);
      }
      if (std::isfinite(error)) {
        result.max_error = std::max(result.max_error, error);
        if (allowed(a) > 0) result.max_excess = std::max(result.max_excess, error / allowed(a));
      }
      if (right) continue;
      if (result.message.empty()) differ(name + position(i, expected[t].sizes), text(a), text(b));
      result.equal = false;
    }
  }
  return result;
}

}  // namespace tritonrl::judge
