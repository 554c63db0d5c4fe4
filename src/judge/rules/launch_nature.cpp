#include "judge/rules/launch_nature.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <vector>

#include "judge/elements.h"
#include "machine/numbers/float_formats.h"

namespace tritonrl::judge {
namespace {

using runner::AloneStorage;

constexpr std::size_t kMaxSources = 8;     // places of one value that are followed
constexpr std::size_t kManyElements = 32;  // that are one factor times others by no accident
constexpr double kNearly = 2e-4;           // of the data's size: what the comparison of float32 lets pass

std::size_t size_of(const AloneStorage& storage) {
  return static_cast<std::size_t>(program::size_of(storage.dtype));
}

bool wrote(const AloneStorage& storage) {
  return storage.written.find_first_not_of('\0') != std::string::npos;
}

// Elements that were written as a whole.
std::vector<std::size_t> written_elements(const AloneStorage& storage) {
  const std::size_t size = size_of(storage);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i + size <= storage.written.size(); i += size) {
    if (storage.written[i] != 0) out.push_back(i / size);
  }
  return out;
}

double element(const AloneStorage& storage, const std::string& bytes, std::size_t i) {
  const std::size_t size = size_of(storage);
  if (storage.dtype == program::DType::kFloat32) {  // nearly all
    float value = 0;
    std::memcpy(&value, bytes.data() + i * size, size);
    return value;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + i * size, size);
  return machine::to_double(*float_scalar(storage.dtype), bits);
}

// The value as a storage of that type would hold it.
double rounded(double value, program::DType dtype) {
  if (dtype == program::DType::kFloat32) return static_cast<float>(value);
  const machine::Scalar scalar = *float_scalar(dtype);
  return machine::to_double(scalar, machine::from_double(scalar, value));
}

bool is_constant(const std::vector<AloneStorage>& first, const std::vector<AloneStorage>& second) {
  for (std::size_t s = 0; s < first.size(); ++s) {
    if (!wrote(first[s]) && !float_scalar(first[s].dtype)) return false;  // an integer operand decides
    if (first[s].written != second[s].written) return false;
    for (std::size_t i = 0; i < first[s].written.size(); ++i) {
      if (first[s].written[i] != 0 && first[s].after[i] != second[s].after[i]) return false;
    }
  }
  return true;
}

// Something was stored that is not NaN: a logarithm's row of data with signs tells nothing.
bool stored_numbers(const std::vector<AloneStorage>& storages) {
  return std::any_of(storages.begin(), storages.end(), [](const AloneStorage& one) {
    if (!wrote(one) || !float_scalar(one.dtype)) return wrote(one);
    const std::vector<std::size_t> written = written_elements(one);
    return std::any_of(written.begin(), written.end(),
                       [&](std::size_t i) { return !std::isnan(element(one, one.after, i)); });
  });
}

struct Source {
  std::size_t storage = 0, element = 0;
};

// Where the values of one run could have come from.
using Sources = std::unordered_map<double, std::vector<Source>>;

Sources sources_of(const std::vector<AloneStorage>& storages, program::DType as) {
  Sources out;
  for (std::size_t s = 0; s < storages.size(); ++s) {
    if (!float_scalar(storages[s].dtype)) continue;
    const std::size_t count = storages[s].before.size() / size_of(storages[s]);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Source>& places = out[rounded(element(storages[s], storages[s].before, i), as)];
      if (places.size() < kMaxSources) places.push_back({s, i});
    }
  }
  return out;
}

// Some of the written elements have a value that no operand has: most kernels are told from copies by a look at few.
bool has_new_values(const std::vector<AloneStorage>& storages, const AloneStorage& stored,
                    const std::vector<std::size_t>& written) {
  constexpr std::size_t kFew = 16;
  std::vector<double> unseen;
  for (std::size_t k = 0; k < std::min(kFew, written.size()); ++k)
    unseen.push_back(element(stored, stored.after, written[k * written.size() / std::min(kFew, written.size())]));
  for (const AloneStorage& source : storages) {
    if (!float_scalar(source.dtype)) continue;
    const std::size_t count = source.before.size() / size_of(source);
    for (std::size_t i = 0; i < count && !unseen.empty(); ++i) {
      const double value = rounded(element(source, source.before, i), stored.dtype);
      std::erase(unseen, value);
    }
  }
  return !unseen.empty();
}

// Every written element comes from the same place in both runs. `moved`: from another position than its own.
bool moves_data(const std::vector<AloneStorage>& first, const std::vector<AloneStorage>& second, bool* moved) {
  *moved = false;
  for (std::size_t s = 0; s < first.size(); ++s) {
    if (!wrote(first[s])) continue;
    if (!float_scalar(first[s].dtype)) return false;
    const std::vector<std::size_t> written = written_elements(first[s]);
    if (has_new_values(first, first[s], written)) return false;
    const Sources sources = sources_of(first, first[s].dtype);
    for (const std::size_t i : written) {
      const auto found = sources.find(element(first[s], first[s].after, i));
      if (found == sources.end()) return false;
      const double stored = element(second[s], second[s].after, i);
      const Source* from = nullptr;
      for (const Source& source : found->second) {
        const double loaded = element(second[source.storage], second[source.storage].before, source.element);
        if (rounded(loaded, first[s].dtype) != stored) continue;
        if (from == nullptr || source.element == i) from = &source;
      }
      if (from == nullptr) return false;
      if (from->element != i) *moved = true;
    }
  }
  return true;
}

// By what the written elements are nearly those of `source`: each that of its own position, or all of them in a row
// from the first on, as in a buffer that begins elsewhere.
std::optional<double> factor_of(const AloneStorage& stored, const AloneStorage& source,
                                const std::vector<std::size_t>& written, bool in_a_row) {
  const std::size_t count = source.before.size() / size_of(source);
  if (written.empty() || count <= (in_a_row ? written.size() - 1 : written.back())) return std::nullopt;
  const auto loaded = [&](std::size_t k) { return element(source, source.before, in_a_row ? k : written[k]); };
  double largest = 0, factor = 0;
  for (std::size_t k = 0; k < written.size(); ++k) {
    const double b = loaded(k);
    if (std::abs(b) <= largest) continue;
    largest = std::abs(b);
    factor = element(stored, stored.after, written[k]) / b;
  }
  if (!std::isfinite(factor) || factor == 0) return std::nullopt;
  if (std::abs(factor - 1) <= kNearly) factor = 1;
  for (std::size_t k = 0; k < written.size(); ++k) {
    const double a = element(stored, stored.after, written[k]);
    const double b = factor * loaded(k);
    if (!(std::abs(a - b) <= kNearly * std::abs(factor) * largest) && rounded(b, stored.dtype) != a)
      return std::nullopt;
  }
  return factor;
}

std::optional<double> factor_of(const AloneStorage& stored, const AloneStorage& source) {
  const std::vector<std::size_t> written = written_elements(stored);
  if (const auto factor = factor_of(stored, source, written, false)) return factor;
  const bool elsewhere = !written.empty() && written.back() != written.size() - 1;
  return elsewhere ? factor_of(stored, source, written, true) : std::nullopt;
}

// By storage that was written: the factor by which it is nearly a copy of some operand. Empty: one is not.
std::vector<double> factors_of(const std::vector<AloneStorage>& storages) {
  std::vector<double> out;
  for (const AloneStorage& stored : storages) {
    if (!wrote(stored)) continue;
    if (!float_scalar(stored.dtype)) return {};
    std::optional<double> factor;
    for (const AloneStorage& source : storages) {
      if (!factor && float_scalar(source.dtype)) factor = factor_of(stored, source);
    }
    if (!factor) return {};
    out.push_back(*factor);
  }
  return out;
}

// A factor that depends on the data is a computation.
bool same_factors(const std::vector<double>& a, const std::vector<double>& b) {
  return !a.empty() && std::equal(a.begin(), a.end(), b.begin(), b.end(),
                                  [](double x, double y) { return std::abs(x - y) <= kNearly * std::abs(x); });
}

bool stores_many(const std::vector<AloneStorage>& storages) {
  return std::all_of(storages.begin(), storages.end(), [](const AloneStorage& one) {
    return !wrote(one) || written_elements(one).size() >= kManyElements;
  });
}

LaunchNature nature_by(const std::vector<double>& factors) {
  const bool copies = std::all_of(factors.begin(), factors.end(), [](double factor) { return factor == 1; });
  return copies ? LaunchNature::kCopies : LaunchNature::kScales;
}

}  // namespace

LaunchNature nature_of(const std::vector<runner::RunOutcome>& alone) {
  const auto usable = [&](const runner::RunOutcome& one) {
    return one.kind == runner::RunOutcome::Kind::kCompleted && one.alone.size() == alone.front().alone.size();
  };
  if (alone.size() < 2 || !usable(alone[0]) || !usable(alone[1])) return LaunchNature::kComputes;
  const std::vector<AloneStorage>& first = alone[0].alone;
  const std::vector<AloneStorage>& second = alone[1].alone;
  if (std::none_of(first.begin(), first.end(), wrote)) return LaunchNature::kComputes;
  if (is_constant(first, second)) {
    // what large data saturates (a clamp), or data with signs makes NaN, other fills show to depend on it
    const bool always = std::all_of(alone.begin() + 2, alone.end(), [&](const runner::RunOutcome& one) {
      return !usable(one) || is_constant(first, one.alone);
    });
    const bool numbers = std::any_of(alone.begin(), alone.end(), [&](const runner::RunOutcome& one) {
      return usable(one) && stored_numbers(one.alone);
    });
    return always && numbers ? LaunchNature::kConstant : LaunchNature::kComputes;
  }
  bool moved = false;
  if (moves_data(first, second, &moved)) return moved ? LaunchNature::kRearranges : LaunchNature::kCopies;
  const std::vector<double> factors = factors_of(first);
  return same_factors(factors, factors_of(second)) ? nature_by(factors) : LaunchNature::kComputes;
}

LaunchNature nature_on_draws(const std::vector<runner::RunOutcome>& real) {
  std::vector<double> factors;
  for (const runner::RunOutcome& one : real) {
    if (one.kind != runner::RunOutcome::Kind::kCompleted) return LaunchNature::kComputes;
    const std::vector<double> here = factors_of(one.alone);
    if (here.empty()) return LaunchNature::kComputes;
    // a factor that the kernel reads may be another on each draw; any single number is some factor times another one
    if (factors.size() >= here.size() &&
        !same_factors({factors.end() - static_cast<std::ptrdiff_t>(here.size()), factors.end()}, here) &&
        !stores_many(one.alone))
      return LaunchNature::kComputes;
    factors.insert(factors.end(), here.begin(), here.end());
  }
  return factors.empty() ? LaunchNature::kComputes : nature_by(factors);
}

}  // namespace tritonrl::judge
