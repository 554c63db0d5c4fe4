#include "judge/varied_inputs.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "judge/compare.h"
#include "judge/elements.h"
#include "judge/integer_inputs.h"

namespace tritonrl::judge {
namespace {

using runner::GivenInputs;
using runner::TensorData;

// By forward: values inside and outside of [-1, 1].
constexpr double kSignedScales[] = {3, 1, 0.25};
constexpr double kMostError = 1e-2;        // of the largest output: beyond, a regime tells nothing
constexpr double kPartOfTolerance = 0.3;   // what the reference may err by where we chose how far to go
constexpr std::uint64_t kCallSeeds = 256;  // room for the inputs of a call
constexpr std::uint64_t kIntegerSeed = 1000;

// Other values of the same structure: zeros stay zeros, equal elements stay equal, order stays; so triangular,
// symmetric and sorted inputs remain what they are.
std::string other_values(const TensorData& data, const std::string& variation, int forward) {
  if (!has_fractions(data.dtype) || is_selector(data)) return data.bytes;
  if (variation == "scaled") return changed(data, [](double value) { return 2 * value; });
  const double centre = centre_of(data);
  const double scale = kSignedScales[static_cast<std::size_t>(forward) % std::size(kSignedScales)];
  return changed(data,
                 [&](double value) { return value == 0 || !std::isfinite(value) ? value : scale * (value - centre); });
}

std::set<double> infinities_of(const TensorData& data) {
  std::set<double> out;
  const Elements elements(data);
  for (std::size_t i = 0; i < elements.count(); ++i) {
    if (std::isinf(elements[i])) out.insert(elements[i]);
  }
  return out;
}

// The largest difference, as a part of the largest element, of all rows of so many elements or of the one where that is
// most.
double relative_error(const Elements& a, const Elements& b, std::size_t row) {
  double out = 0;
  const std::size_t count = std::min(a.count(), b.count());
  for (std::size_t begin = 0; begin < count; begin += row) {
    double largest = 0, error = 0;
    for (std::size_t i = begin; i < std::min(count, begin + row); ++i) {
      if (!std::isfinite(a[i]) && !std::isfinite(b[i])) continue;
      largest = std::max(largest, std::abs(b[i]));
      error = std::max(error, std::abs(a[i] - b[i]));
    }
    if (error > 0) out = std::max(out, error / largest);
  }
  return out;
}

}  // namespace

Fit fit_of(const std::vector<TensorData>& outputs, const std::vector<TensorData>* exact,
           const std::vector<TensorData>* own, bool strict) {
  for (std::size_t t = 0; t < outputs.size(); ++t) {
    if (!has_fractions(outputs[t].dtype)) continue;
    const Elements elements(outputs[t]);
    const auto infinities = own != nullptr && t < own->size() ? infinities_of((*own)[t]) : std::set<double>{};
    for (std::size_t i = 0; i < elements.count(); ++i) {
      if (std::isnan(elements[i])) return Fit::kNotANumber;
      if (std::isinf(elements[i]) && !infinities.contains(elements[i])) return Fit::kBeyond;
    }
  }
  if (exact == nullptr) return Fit::kGood;
  for (std::size_t t = 0; t < std::min(outputs.size(), exact->size()); ++t) {
    if (!has_fractions(outputs[t].dtype)) continue;
    const Elements elements(outputs[t]), truth((*exact)[t]);
    const std::vector<std::int64_t>& sizes = outputs[t].sizes;
    const auto row = static_cast<std::size_t>(std::max<std::int64_t>(1, sizes.empty() ? 1 : sizes.back()));
    if (relative_error(elements, truth, std::max<std::size_t>(1, elements.count())) > kMostError) return Fit::kBeyond;
    if (strict && relative_error(elements, truth, row) > kPartOfTolerance * tolerance_of(outputs[t].dtype).rtol)
      return Fit::kBeyond;
  }
  return Fit::kGood;
}

VariedInputs::VariedInputs(const program::Program& reference, const runner::RunOutcome& first, std::uint64_t seed)
    : first_(&first), seed_(seed), uses_(uses_of(reference)), may_be_negative_(only_computed_with(reference)) {
  for (std::size_t i = 0; i < may_be_negative_.size(); ++i) {
    if (uses_[i].compared) may_be_negative_[i] = false;  // how many there are of something
  }
}

std::vector<GivenInputs> VariedInputs::inputs(const std::string& variation, int calls, bool whole_numbers) {
  whole_numbers_ = whole_numbers;
  std::vector<GivenInputs> out;
  for (const runner::ForwardResult& forward : first_->forwards) {
    if (forward.forward >= calls) continue;
    GivenInputs& given = out.emplace_back();
    given.forward = forward.forward;
    if (is_regime(variation)) {
      std::vector<Steps>& steps = steps_[variation];
      steps.resize(std::max(steps.size(), static_cast<std::size_t>(forward.forward) + 1));
      Steps& mine = steps[static_cast<std::size_t>(forward.forward)];
      mine = {manners_of(variation, forward.forward), 0};
      given.tensors = in_manner(variation, forward.forward, mine.manners.front());
      continue;
    }
    for (std::size_t i = 0; i < forward.inputs.size(); ++i) {
      const TensorData& data = forward.inputs[i];
      given.tensors.push_back(variation.empty()           ? data.bytes
                              : has_fractions(data.dtype) ? other_values(data, variation, forward.forward)
                                                          : other_integers(data, variation, forward.forward, i, false));
    }
  }
  return out;
}

std::vector<std::string> VariedInputs::in_manner(const std::string& variation, int call, const Manner& manner) const {
  std::vector<std::string> out;
  const std::vector<TensorData>& own = first_->forwards[static_cast<std::size_t>(call)].inputs;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::uint64_t seed = seed_ + static_cast<std::uint64_t>(call + 1) * kCallSeeds + i;
    out.push_back(has_fractions(own[i].dtype)             ? in_regime(own[i], variation, call, manner, seed)
                  : manner.values == Manner::Values::kOwn ? own[i].bytes
                                                          : other_integers(own[i], variation, call, i, manner.careful));
  }
  return out;
}

std::string VariedInputs::other_integers(const TensorData& data, const std::string& variation, int call,
                                         std::size_t input, bool careful) const {
  if (!whole_numbers_ || input >= uses_.size()) return data.bytes;
  const std::uint64_t seed = seed_ + kIntegerSeed + static_cast<std::uint64_t>(call) + kCallSeeds * input;
  if (variation == "signed" && may_be_negative_[input]) return with_signs(data, seed);
  if (variation == "uneven" && call > 0) return chosen_anew(data, seed, uses_[input], careful);
  return data.bytes;
}

bool VariedInputs::take_own_integers(const std::string& variation, std::vector<GivenInputs>& inputs) {
  bool out = false;
  if (variation != "scaled" && variation != "signed") return out;  // others draw their own
  for (GivenInputs& given : inputs) {
    const std::vector<TensorData>& own = first_->forwards[static_cast<std::size_t>(given.forward)].inputs;
    for (std::size_t i = 0; i < given.tensors.size(); ++i) {
      if (has_fractions(own[i].dtype) || given.tensors[i] == own[i].bytes) continue;
      given.tensors[i] = own[i].bytes;
      out = true;
    }
  }
  return out;
}

bool VariedInputs::tame(const std::string& variation, Fit fit, GivenInputs& call) {
  Steps& steps = steps_.at(variation)[static_cast<std::size_t>(call.forward)];
  const std::vector<std::string> before = call.tensors;
  const Manner from = steps.manners[steps.at];
  while (steps.at + 1 < steps.manners.size()) {
    const Manner& next = steps.manners[++steps.at];
    // what is too large is so with either sign
    const bool as_large = next.values == Manner::Values::kRegime && next.level == from.level && variation == "wide";
    if (fit == Fit::kBeyond && as_large) continue;
    call.tensors = in_manner(variation, call.forward, next);
    if (call.tensors != before) return true;
  }
  return false;
}

const Manner& VariedInputs::manner_of(const std::string& variation, int call) const {
  const Steps& steps = steps_.at(variation)[static_cast<std::size_t>(call)];
  return steps.manners[steps.at];
}

bool VariedInputs::is_own(const GivenInputs& call) const {
  const std::vector<TensorData>& own = first_->forwards[static_cast<std::size_t>(call.forward)].inputs;
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    if (call.tensors[i] != own[i].bytes) return false;
  }
  return true;
}

bool VariedInputs::are_own(const std::vector<GivenInputs>& inputs) const {
  return std::ranges::all_of(inputs, [&](const GivenInputs& one) { return is_own(one); });
}

}  // namespace tritonrl::judge
