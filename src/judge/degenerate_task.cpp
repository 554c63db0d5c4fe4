#include "judge/degenerate_task.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>

#include "judge/elements.h"

namespace tritonrl::judge {
namespace {

using runner::TensorData;

// What one output is on all draws and calls.
struct Spread {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double exact_low = low, exact_high = high;  // of the oracle, where there is one for all
  double own = 0;                             // how far the reference is from it
  bool numbers = true, known = true;

  void add(const TensorData& expected, const TensorData* oracle) {
    const Elements elements(expected);
    std::optional<Elements> exact;
    if (oracle != nullptr) exact.emplace(*oracle);
    known = known && exact && exact->count() == elements.count();
    for (std::size_t i = 0; i < elements.count(); ++i) {
      numbers = numbers && !std::isnan(elements[i]);
      low = std::min(low, elements[i]);
      high = std::max(high, elements[i]);
      if (!known) continue;
      exact_low = std::min(exact_low, (*exact)[i]);
      exact_high = std::max(exact_high, (*exact)[i]);
      own = std::max(own, std::abs(elements[i] - (*exact)[i]));
    }
  }

  // What differs is a small part of the reference's own error.
  bool constant() const {
    return numbers && low <= high && (low == high || (known && exact_high - exact_low < own / 100));
  }
};

bool same(const std::vector<TensorData>& some, const std::vector<TensorData>& others) {
  return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                    [](const TensorData& a, const TensorData& b) {
                      return a.dtype == b.dtype && a.sizes == b.sizes && a.bytes == b.bytes;
                    });
}

// With the same parameters every call gives the same, to the bit: a tanh of a large sum, times a parameter.
bool inputs_do_not_matter(const SizedTask& task) {
  std::map<std::uint64_t, std::vector<const Draw*>> by_parameters;
  for (const Draw& draw : task.draws) {
    if (draw.not_applicable.empty() && draw.state.empty() && !draw.expected.empty())
      by_parameters[draw.seed].push_back(&draw);
  }
  bool compared = false;
  for (const auto& [seed, draws] : by_parameters) {
    const std::vector<TensorData>& first = draws.front()->expected.front();
    for (const Draw* draw : draws) {
      for (const std::vector<TensorData>& expected : draw->expected) {
        if (!same(first, expected)) return false;
      }
    }
    compared = compared || draws.size() > 1;
  }
  return compared;
}

}  // namespace

std::string constant_answer(const SizedTask& task) {
  std::vector<Spread> spreads;
  for (const Draw& draw : task.draws) {
    if (!draw.not_applicable.empty()) continue;
    for (std::size_t f = 0; f < draw.expected.size(); ++f) {
      spreads.resize(std::max(spreads.size(), draw.expected[f].size()));
      const Truth truth = draw.truth(f);
      for (std::size_t t = 0; t < draw.expected[f].size(); ++t) {
        const bool known = truth.exact != nullptr && t < truth.exact->size();
        spreads[t].add(draw.expected[f][t], known ? &(*truth.exact)[t] : nullptr);
      }
    }
  }
  if (spreads.empty() || !std::all_of(spreads.begin(), spreads.end(), [](const Spread& one) { return one.constant(); }))
    return inputs_do_not_matter(task) ? "the reference's answer is the same whatever the inputs" : "";
  char value[40];
  std::snprintf(value, sizeof value, "%.6g", spreads.front().low);
  return std::string("the reference's answer is the same whatever the inputs: ") + value;
}

std::vector<std::string> degenerate_outputs(const Draw& draw) {
  std::vector<std::string> out;
  if (draw.expected.empty()) return out;
  for (std::size_t t = 0; t < draw.expected.front().size(); ++t) {
    const TensorData& data = draw.expected.front()[t];
    const Elements elements(data);
    if (elements.count() == 0) continue;
    bool constant = elements.count() > 1, zero = true, nan = false;
    for (std::size_t i = 0; i < elements.count(); ++i) {
      constant = constant && elements[i] == elements[0];
      zero = zero && elements[i] == 0;
      nan = nan || std::isnan(elements[i]);
    }
    const std::string name = "degenerate: the reference's output " + std::to_string(t);
    if (nan) out.push_back(name + " holds NaN");
    if (zero) {
      out.push_back(name + " is zero");
    } else if (constant) {
      out.push_back(name + " is constant");
    }
  }
  return out;
}

}  // namespace tritonrl::judge
