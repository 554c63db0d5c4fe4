#include "teacher/families/unary_table.h"

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "teacher/families/drawn_line.h"

namespace tritonrl::teacher {

namespace {

constexpr program::Words<Need, 5> kNeeds = {{{"any", Need::kAny},
                                             {"small", Need::kSmall},
                                             {"unit", Need::kUnit},
                                             {"positive", Need::kPositive},
                                             {"exact", Need::kExact}}};

constexpr program::Words<Gives, 12> kGives = {{{"same", Gives::kSame},
                                               {"relu", Gives::kRelu},
                                               {"unit_positive", Gives::kUnitPositive},
                                               {"unit", Gives::kUnit},
                                               {"exp", Gives::kExp},
                                               {"log", Gives::kLog},
                                               {"root", Gives::kRoot},
                                               {"ratio", Gives::kRatio},
                                               {"square", Gives::kSquare},
                                               {"shifted", Gives::kShifted},
                                               {"steps", Gives::kSteps},
                                               {"bounded", Gives::kBounded}}};

// "torch F method nn; activation 16; any 8; needs any; gives relu"
Unary read_unary(const program::OperatorEntry& entry) {
  const DrawnLine line(entry);
  const auto name_if = [&](std::string_view way) { return line.has_way(way) ? entry.name : std::string_view(); };
  return {.name = entry.name,
          .torch = name_if("torch"),
          .functional = name_if("F"),
          .method = name_if("method"),
          .module = line.has_way("nn") ? layer_of(entry) : std::string_view(),
          .activation_weight = line.number("activation"),
          .any_weight = line.number("any"),
          .need = line.named("needs", kNeeds),
          .gives = line.named("gives", kGives)};
}

std::vector<Unary> read_unaries() {
  std::vector<Unary> all;
  for (const program::OperatorEntry& entry : program::operator_entries()) {
    if (entry.kind == program::OperatorKind::kPointwise && entry.has("drawn")) all.push_back(read_unary(entry));
  }
  std::ranges::sort(all, {}, &Unary::name);
  TRL_CHECK(all.size() <= kMostUnary, "operators/: more operators are drawn than there is room for");
  return all;
}

// Of tenths, in tenths.
int root(int tenths) {
  int out = 0;
  while ((out + 1) * (out + 1) <= 10 * tenths) ++out;
  return out;
}

// Where most numbers lie afterwards, roughly.
Range moved(Gives gives, Range range, const Range& before) {
  const int low = before.low(), high = before.high(), far = std::max(high, -low),
            near = low > 0    ? low
                   : high < 0 ? -high
                              : 0;
  switch (gives) {
    case Gives::kSame:
      range.from = low, range.to = high;
      break;
    case Gives::kRelu:
      range.from = std::max(near, 0), range.to = std::max(0, far);
      break;
    case Gives::kUnitPositive:
      range.from = std::clamp(5 + low / 5, 0, 10), range.to = std::clamp(5 + high / 5, 0, 10);
      break;
    case Gives::kUnit:
      range.from = std::clamp(low, -9, 9), range.to = std::clamp(high, -9, 9);
      break;
    case Gives::kSquare:
      range.from = near * near / 10, range.to = far * far / 20 + 1;
      break;
    case Gives::kRoot:
      range.from = root(near), range.to = root(far) + 1;
      break;
    case Gives::kLog:
      range.from = low >= 10 ? 0 : -20, range.to = high <= 10 ? 0 : high <= 30 ? 11 : 23;
      break;
    case Gives::kBounded:
      range.from = std::clamp(low, -10, 10), range.to = std::clamp(high, -10, 10);
      break;
    default:
      break;
  }
  return range;
}

Range range_of_numbers(Gives gives, Range range) {
  range.exact = false;
  const int size = range.size;
  switch (gives) {
    case Gives::kSame:
      return {.size = size, .varied = range.varied};
    case Gives::kRelu:
      return {.size = size, .nonnegative = true, .floor = range.floor, .varied = range.varied};
    case Gives::kUnitPositive:
      return {.size = std::max(0, size),
              .nonnegative = true,
              .floor = size <= 2 ? -7 : -14,
              .varied = range.varied && size <= 4};
    case Gives::kUnit:
      return {.size = 0, .varied = range.varied && size <= 3};
    case Gives::kExp:
      return {.size = size <= 0 ? 2 : size <= 1 ? 3 : 6, .nonnegative = true, .floor = -6, .varied = range.varied};
    case Gives::kLog:
      return {.size = 3, .varied = range.varied};
    case Gives::kRoot:
      return {.size = (size + 1) / 2, .nonnegative = true, .floor = range.floor / 2, .varied = range.varied};
    case Gives::kRatio:
      return {.size = std::max(0, -range.floor), .nonnegative = true, .floor = -size - 1, .varied = range.varied};
    case Gives::kSquare:
      return {.size = 2 * std::max(0, size), .nonnegative = true, .varied = range.varied};
    case Gives::kShifted:
      return {.size = 2, .varied = range.varied};
    case Gives::kSteps:
      return {.size = size, .varied = false};
    case Gives::kBounded:
      return {.size = 3, .nonnegative = range.nonnegative, .varied = false, .cut = true};
  }
  return range;
}

}  // namespace

std::span<const Unary> unary_operators() {
  static const std::vector<Unary> kUnary = read_unaries();
  return kUnary;
}

const Unary& find_unary(std::string_view name) {
  const auto all = unary_operators();
  const auto entry = std::ranges::lower_bound(all, name, {}, &Unary::name);
  TRL_CHECK(entry != all.end() && entry->name == name, "no operator of that name");
  return *entry;
}

int tenths_of(std::string_view number) {
  int value = 0;
  std::size_t at = 0;
  for (; at < number.size() && number[at] != '.'; ++at) value = value * 10 + (number[at] - '0');
  return value * 10 + (at + 1 < number.size() ? number[at + 1] - '0' : 0);
}

Range range_of(Gives gives, const Range& range) {
  return moved(gives, range_of_numbers(gives, range), range);
}

bool fits(const Unary& op, const Range& range) {
  // What would come out the same everywhere is no use.
  const bool cuts = op.gives == Gives::kBounded || op.name == "relu" || op.name == "hardshrink" ||
                    op.name == "softshrink" || op.name == "threshold" || op.gives == Gives::kSteps;
  if (cuts && (range.high() < 5 || range.low() > 2)) return false;
  if ((op.gives == Gives::kUnit || op.gives == Gives::kUnitPositive) && (range.low() > 25 || range.high() < -25))
    return false;
  switch (op.need) {
    case Need::kAny:
      return range.size <= 7 && (op.gives != Gives::kSquare || range.size <= 3);
    case Need::kSmall:
      return range.size <= 1;
    case Need::kUnit:
      return false;
    case Need::kPositive:
      return range.positive();
    case Need::kExact:
      return range.exact;
  }
  return false;
}

}  // namespace tritonrl::teacher
