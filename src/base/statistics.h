#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tritonrl::base {

struct Interval {
  double low = 0, high = 1;
};

// Wilson's 95 % interval of a rate. `successes` may be a sum of values between 0 and 1 (pass@k of tasks): the interval
// is too wide then rather than too narrow, since such values vary less than zeros and ones of the same mean.
Interval wilson_interval(double successes, std::int64_t trials);

// The unbiased estimate of the chance that one of k answers is right, from `samples` answers of which `correct` are
// (Chen et al. 2021). 1 <= k <= samples.
double pass_at_k(int samples, int correct, int k);

// McNemar's exact two-sided test of two models on the same tasks, of which `only_first` and `only_second` are solved by
// one of them alone: how likely a difference at least as large is if both are equally good.
double mcnemar_exact(std::int64_t only_first, std::int64_t only_second);

// Of at least one value; of positive ones.
double geometric_mean(std::span<const double> values);
double mean(std::span<const double> values);
double median(std::vector<double> values);

}  // namespace tritonrl::base
