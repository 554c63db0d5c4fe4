#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/fields.h"

namespace tritonrl::train {

// The learning rate rises evenly to its peak and falls to a part of that along half a cosine. The first step already
// has a rate above 0 (transformers' first step has none and changes nothing).
struct Schedule {
  double learning_rate = 2e-4;  // the peak
  double warmup = 0.03;         // part of all steps
  double final_fraction = 0.1;  // of the peak, at the last step

  void fields(base::FieldVisitor& field) {
    field("learning_rate", learning_rate, {.help = "the highest, after warm-up", .least = 0});
    field("warmup", warmup, {.help = "part of the steps in which the rate rises", .least = 0, .most = 1});
    field("final_fraction", final_fraction, {.help = "of the rate, at the last step", .least = 0, .most = 1});
  }

  // Of a step, from 0, of `steps`.
  double rate(std::int64_t step, std::int64_t steps) const {
    const auto rising = static_cast<std::int64_t>(std::ceil(warmup * static_cast<double>(steps)));
    if (step < rising) return learning_rate * static_cast<double>(step + 1) / static_cast<double>(rising);
    const double done =
        static_cast<double>(step - rising) / static_cast<double>(std::max<std::int64_t>(1, steps - 1 - rising));
    const double part = 0.5 * (1 + std::cos(std::numbers::pi * std::min(1.0, done)));
    return learning_rate * (final_fraction + (1 - final_fraction) * part);
  }
};

}  // namespace tritonrl::train
