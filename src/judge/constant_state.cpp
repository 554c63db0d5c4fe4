#include "judge/constant_state.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "judge/elements.h"
#include "judge/made_state.h"

namespace tritonrl::judge {
namespace {

constexpr double kSpread = 0.4;       // of the constant, or of one where that is smaller
constexpr double kNearlyOne = 1e-3;   // part of its size by which a draw differs, or all of it: it says nothing
constexpr std::size_t kFewDrawn = 2;  // elements: of one nobody knows how far it could have been from where it is

struct Place {
  MadeTensor made;
  std::string name;  // in the state; empty: not of it
  bool buffer = false;
  bool taken = false;
};

std::vector<Place> places_of(const program::Program& program) {
  MadeState made = made_state(program);
  std::vector<Place> out;  // of the state first, then all others
  for (std::size_t i = 0; i < made.state.size(); ++i) {
    if (made.state[i]) out.push_back({std::move(*made.state[i]), program.state[i].name, program.state[i].buffer});
  }
  for (MadeTensor& one : made.others) out.push_back({std::move(one), ""});
  return out;
}

bool holds(const program::Program& program, const MadeTensor& made, const runner::TensorData& contents) {
  const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(made.tensor.index)];
  return tensor.dtype == contents.dtype &&
         tensor.numel() * program::size_of(tensor.dtype) == static_cast<std::int64_t>(contents.bytes.size());
}

bool drawn(Origin origin) {
  return origin == Origin::kDrawn || origin == Origin::kRepeated;
}

// As a float has it: 0.1 is written in one place and computed in another.
bool same_constant(const GivenState& given, const MadeTensor& made) {
  return given.constant && made.constant && static_cast<float>(*given.constant) == static_cast<float>(*made.constant);
}

bool made_alike(const GivenState& given, const MadeTensor& made) {
  // a copy is made like any other
  return given.recipe == made.recipe && given.recipe != kCopied && drawn(given.origin) == drawn(made.origin);
}

// What is computed under the name of a constant may be others folded into it.
bool same_name(const GivenState& given, const Place& place) {
  if (place.name.empty() || place.name != given.name || drawn(given.origin) != drawn(place.made.origin)) return false;
  return !plain(given) || place.made.origin != Origin::kComputed;
}

struct Range {
  double smallest = 0, largest = 0;
  double size() const { return std::max(std::abs(smallest), std::abs(largest)); }
};

Range range_of(const Elements& held) {
  Range out{held[0], held[0]};
  for (std::size_t i = 0; i < held.count(); ++i) {
    out.smallest = std::min(out.smallest, held[i]);
    out.largest = std::max(out.largest, held[i]);
  }
  return out;
}

// Another seed would change nothing that anybody could see.
bool nearly_one_number(const Range& range) {
  return range.size() < kNearlyOne || range.largest - range.smallest < kNearlyOne * range.size();
}

bool repeats(const std::vector<runner::TensorData>& values, std::size_t index) {
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(index);
  return std::any_of(values.begin(), end, [&](const runner::TensorData& one) {
    return one.dtype == values[index].dtype && one.bytes == values[index].bytes;
  });
}

// Whether to give it other contents.
bool changeable(const MadeTensor& made, bool buffer, const std::vector<runner::TensorData>& values, std::size_t index,
                const Range& range) {
  switch (made.origin) {
    case Origin::kConstant:
    case Origin::kLiteral:
      return true;
    case Origin::kComputed:
      return !buffer;
    case Origin::kRepeated:
      // other parts of the same draw are as good as draws of their own
      return !buffer && (made.recipe != kCopied || repeats(values, index));
    case Origin::kDrawn:
      break;
  }
  return !buffer && values[index].bytes.size() >= kFewDrawn * program::size_of(values[index].dtype) &&
         nearly_one_number(range);
}

}  // namespace

bool replaceable(const GivenState& given) {
  return given.origin == Origin::kDrawn || (given.origin == Origin::kRepeated && given.recipe == kCopied);
}

bool plain(const GivenState& given) {
  return given.origin == Origin::kConstant || given.origin == Origin::kLiteral;
}

std::int64_t parameter_elements(const program::Program& program) {
  std::int64_t out = 0;
  for (const program::NamedTensor& one : program.state)
    out += one.buffer ? 0 : program.tensors[static_cast<std::size_t>(one.tensor.index)].numel();
  return out;
}

DrawnState drawn_of(const program::Program& program, const std::vector<GivenState>& state) {
  std::vector<Place> places = places_of(program);
  DrawnState out;
  std::vector<const GivenState*> open;
  for (const GivenState& given : state) open.push_back(&given);
  const auto pass = [&](auto&& fits) {
    std::erase_if(open, [&](const GivenState* given) {
      const auto found = std::find_if(places.begin(), places.end(), [&](const Place& place) {
        return !place.taken && fits(*given, place) && holds(program, place.made, given->contents);
      });
      if (found == places.end()) return false;
      for (Place& place : places) place.taken = place.taken || place.made.step == found->made.step;
      out.drawn.push_back({found->made.step, {found->made.tensor, given->contents.bytes}});
      return true;
    });
  };
  pass([](const GivenState& given, const Place& place) { return same_name(given, place); });
  pass([](const GivenState& given, const Place& place) { return same_constant(given, place.made); });
  pass([](const GivenState& given, const Place& place) { return made_alike(given, place.made); });
  pass([](const GivenState& given, const Place& place) {
    const bool seldom = given.origin != Origin::kDrawn && place.made.origin != Origin::kDrawn;
    return seldom && !place.name.empty() && place.buffer == given.buffer;
  });
  out.missing = std::move(open);
  return out;
}

std::vector<GivenState> other_state(const program::Program& program, const std::vector<runner::TensorData>& values,
                                    std::uint64_t seed) {
  const MadeState all = made_state(program);
  std::vector<GivenState> out;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> spread(-kSpread, kSpread);
  for (std::size_t i = 0; i < program.state.size() && i < values.size(); ++i) {
    const std::optional<MadeTensor>& made = all.state[i];
    if (!made || values[i].bytes.empty() || !float_scalar(values[i].dtype) || !holds(program, *made, values[i]))
      continue;
    const Elements held(values[i]);
    const Range range = range_of(held);
    if (!changeable(*made, program.state[i].buffer, values, i, range)) continue;
    const bool one_number = made->origin == Origin::kConstant || nearly_one_number(range);
    GivenState& given = out.emplace_back();
    given.name = program.state[i].name;
    given.buffer = program.state[i].buffer;
    given.origin = made->origin;
    given.recipe = made->recipe;
    if (one_number || made->origin == Origin::kLiteral) given.constant = held[0];
    given.contents = values[i];
    given.contents.bytes = changed(values[i], [&](double value) {
      const double by = spread(random), size = std::abs(value);
      // the numbers of a source are of a size that somebody chose
      if (made->origin == Origin::kLiteral) return value + by * (size > 0 ? size : 1.0);
      if (one_number) return value + by * std::max(1.0, size);
      // what is never negative may be the argument of a root
      if (value == 0) return (range.smallest >= 0 ? std::abs(by) : by) * range.size();
      return value * (1 + by);
    });
  }
  return out;
}

}  // namespace tritonrl::judge
