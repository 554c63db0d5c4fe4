#include "judge/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

#include "base/large_pages.h"
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
  std::optional<Elements> exact, coarse, noisy;

  // What the reference errs by there, in its own precision and as rounded as is allowed.
  double own_error(std::size_t i) const { return error(want, i); }
  double coarse_error(std::size_t i) const { return coarse ? error(*coarse, i) : 0; }
  // By the reference's own results where the truth is not known.
  double noisy_error(std::size_t i) const {
    if (exact) return error(*noisy, i);
    return std::isfinite(want[i]) && std::isfinite((*noisy)[i]) ? std::abs((*noisy)[i] - want[i]) : 0;
  }

 private:
  double error(const Elements& of, std::size_t i) const {
    const double truth = (*exact)[i];
    return std::isfinite(truth) && std::isfinite(of[i]) ? std::abs(of[i] - truth) : 0;
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
double median_of(base::LargeVector<double>& values) {
  if (const std::size_t every = values.size() / kMedianOf; every > 1) {
    for (std::size_t i = 0; i < values.size() / every; ++i) values[i] = values[i * every];
    values.resize(values.size() / every);
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Errors of a reference that computes in doubles and is told in doubles, as a part of the largest output.
constexpr double kErrorOfDoubles = 1e-12;

bool computed_in_doubles(DType dtype, const Known& known) {
  if (dtype != DType::kFloat64 || !known.exact) return false;
  const double largest = largest_of(known.want);
  for (std::size_t i = 0; i < known.want.count(); ++i) {
    if (known.own_error(i) > kErrorOfDoubles * largest) return false;
  }
  return true;
}

// Where the truth is known. The usual error is the median: a few elements behind a jump do not excuse the others.
double absolute_tolerance(double named, const Known& known, double noise = runner::kNoise) {
  double largest = 0, most = 0;
  base::LargeVector<double> errors, values;
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
  return runner::absolute_tolerance(named, largest, median_of(values), median_of(errors), most, noise);
}

constexpr double kMostOtherType = 0.1;  // of the largest output

// In another type: so many times what the reference errs by at worst, where that is a small part of its outputs.
double other_type_errors(const Known& known) {
  double most = 0;
  for (std::size_t i = 0; i < known.want.count(); ++i) most = std::max(most, known.own_error(i));
  return std::min(runner::kSameErrors * most, kMostOtherType * largest_of(known.want));
}

constexpr double kRowErrors = 8;
constexpr double kMostOfNeighbours = 1e-2;

// By row of the last dimension: what CompareOptions::by_row allows there. Of few elements the reference may have met
// some by luck: what its neighbours err by, as a part of what is largest there, counts for a short row too.
std::vector<double> row_tolerances(const Known& known, std::size_t row, double rtol) {
  std::vector<double> largest((known.want.count() + row - 1) / row, 0);
  std::vector<double> errors(largest.size(), 0);
  for (std::size_t i = 0; i < known.want.count(); ++i) {
    if (std::isfinite(known.want[i])) largest[i / row] = std::max(largest[i / row], std::abs(known.want[i]));
    if (known.exact) errors[i / row] = std::max(errors[i / row], kRowErrors * known.own_error(i));
  }
  const std::size_t together = (runner::kRowsTogether + row - 1) / row;
  std::vector<double> parts((largest.size() + together - 1) / together, 0);
  for (std::size_t r = 0; r < largest.size(); ++r) {
    if (errors[r] > 0)
      parts[r / together] = std::max(parts[r / together], std::min(errors[r] / largest[r], kMostOfNeighbours));
  }
  std::vector<double> out(largest.size());
  for (std::size_t r = 0; r < out.size(); ++r)
    out[r] = rtol * largest[r] + std::max(errors[r], together > 1 ? parts[r / together] * largest[r] : 0);
  return out;
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// Whether a result may be what products make of operands that are rounded as a protocol lets them be (tolerance.h).
class CoarseProducts {
 public:
  CoarseProducts(const Known& known, std::size_t row) : known_(known) {
    if (!known.coarse || !known.exact) return;
    row_ = (runner::kRowsTogether + row - 1) / row * row;
    usual_.resize((known.want.count() + row_ - 1) / row_, 0);
    std::vector<double> counts(usual_.size(), 0);
    for (std::size_t i = 0; i < known.want.count(); ++i) {
      usual_[i / row_] += known.coarse_error(i) * known.coarse_error(i);
      counts[i / row_] += 1;
    }
    for (std::size_t r = 0; r < usual_.size(); ++r) usual_[r] = std::sqrt(usual_[r] / counts[r]);
  }

  bool allow(double got, std::size_t i, double beside) const {
    if (usual_.empty()) return false;
    const double coarse = (*known_.coarse)[i], exact = (*known_.exact)[i];
    if (same(coarse, got) || (std::isfinite(coarse) && std::abs(coarse - got) <= beside)) return true;
    const double more = std::max(runner::kUsualCoarse * usual_[i / row_], runner::kSameCoarse * known_.coarse_error(i));
    return std::isfinite(exact) && std::abs(exact - got) <= beside + more;
  }

 private:
  const Known& known_;
  std::size_t row_ = 1;
  std::vector<double> usual_;
};

constexpr double kCarried = 6;

// How far rounding carries, which the reference's own errors do not always tell: a sum that cancels may be exact by
// luck. A result may be as far from the truth as several times what the reference usually is, in the same row, once
// every rounding is larger. What three quarters reach: no more than half fall on the other side of a jump. Where the
// truth is not known, since the reference itself is far from it, all is held against the reference.
class CarriedRounding {
 public:
  CarriedRounding(const Known& known, std::size_t row)
      : known_(known), row_((runner::kRowsTogether + row - 1) / row * row) {}

  double at(std::size_t i) {
    if (!known_.noisy) return 0;
    const auto [found, fresh] = usual_.try_emplace(i / row_, 0);
    if (fresh) {
      const std::size_t begin = i / row_ * row_, end = std::min(known_.want.count(), begin + row_);
      std::vector<double> errors;
      for (std::size_t e = begin; e < end; ++e) errors.push_back(known_.noisy_error(e));
      const auto quarter = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 4);
      std::nth_element(errors.begin(), quarter, errors.end());
      found->second = kCarried * *quarter;
    }
    return found->second;
  }

 private:
  const Known& known_;
  const std::size_t row_;
  std::map<std::size_t, double> usual_;
};

}  // namespace

Tolerances tolerances_of(const JudgeOptions& options) {
  Tolerances out;
  if (options.protocol == "kernelbench-2024") out.single = {1e-2, 1e-2};
  for (Tolerance* one : {&out.single, &out.narrow, &out.doubles}) {
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
    const bool fractions = has_fractions(expected[t].dtype);
    const WholeOutput whole = t < options.whole.size() ? options.whole[t] : WholeOutput::kUnknown;
    if (options.by_row && !fractions && whole == WholeOutput::kUnknown) continue;
    const Elements have(got[t]);
    Known known{.want = Elements(expected[t]), .exact = {}, .coarse = {}, .noisy = {}};
    const Elements& want = known.want;
    known.exact = elements_at(truth.exact, t, expected[t], want.count());
    known.coarse = elements_at(truth.coarse, t, expected[t], want.count());
    known.noisy = elements_at(truth.noisy, t, expected[t], want.count());
    if (options.other_type) {
      if (!float_scalar(expected[t].dtype)) continue;
      tolerance = options.tolerances.narrow;
      tolerance.atol *= std::max(1.0, largest_of(want));
      if (known.exact)
        tolerance.atol = std::max({tolerance.atol, absolute_tolerance(0, known), other_type_errors(known)});
    } else if (computed_in_doubles(expected[t].dtype, known)) {
      tolerance = options.tolerances.doubles;
      tolerance.atol = absolute_tolerance(tolerance.atol, known, runner::kDoubleNoise);
    } else if (known.exact && fractions) {
      tolerance.atol = absolute_tolerance(tolerance.atol, known);
    }
    const std::size_t parts = fractions && !float_scalar(expected[t].dtype) ? 2 : 1;  // of a complex number
    const std::size_t row =
        parts *
        (expected[t].sizes.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(1, expected[t].sizes.back())));
    std::vector<double> rows;
    if (options.by_row && fractions) rows = row_tolerances(known, row, tolerance.rtol);
    const CoarseProducts coarse(known, row);
    CarriedRounding carried(known, row);
    const auto allowed = [&](double value, std::size_t i) {
      return (rows.empty() ? tolerance.atol : std::max(tolerance.atol, rows[i / row])) +
             tolerance.rtol * std::abs(value);
    };
    for (std::size_t i = 0; i < std::min(want.count(), have.count()); ++i) {
      const double a = want[i];
      const double b = have[i];
      if (same(a, b)) continue;
      if (options.by_row && !fractions) {
        if (!known.exact || (*known.exact)[i] != a) continue;  // a matter of rounding
        if (whole == WholeOutput::kRounded && std::abs(a - b) <= 1 + options.tolerances.single.rtol * std::abs(a))
          continue;
      }
      const double error = std::abs(a - b);
      bool right = std::isfinite(a) && error <= allowed(a, i);
      if (!right && known.exact) {
        const double exact = (*known.exact)[i];
        const double beside = allowed(exact, i) + runner::kSameErrors * known.own_error(i);
        right = same(exact, b) || (std::isfinite(exact) && std::abs(exact - b) <= beside) || coarse.allow(b, i, beside);
        if (!right && fractions && std::isfinite(exact)) right = std::abs(exact - b) <= beside + carried.at(i);
      }
      if (!right && !known.exact && fractions && std::isfinite(a)) right = error <= allowed(a, i) + carried.at(i);
      if (std::isfinite(error)) {
        result.max_error = std::max(result.max_error, error);
        if (allowed(a, i) > 0) result.max_excess = std::max(result.max_excess, error / allowed(a, i));
      }
      if (right) continue;
      if (result.message.empty()) differ(name + position(i / parts, expected[t].sizes), text(a), text(b));
      result.equal = false;
    }
  }
  return result;
}

}  // namespace tritonrl::judge
