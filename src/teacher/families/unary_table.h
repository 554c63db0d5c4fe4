#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "teacher/families/value.h"

namespace tritonrl::teacher {

// What an operator asks of its operand's numbers, and what it makes of them.
enum class Need : std::uint8_t { kAny, kSmall, kUnit, kPositive, kExact };
enum class Gives : std::uint8_t {
  kSame,
  kRelu,
  kUnitPositive,
  kUnit,
  kExp,
  kLog,
  kRoot,
  kRatio,
  kSquare,
  kShifted,
  kSteps,
  kBounded
};

struct Unary {
  std::string_view name, torch, functional, method, module;
  int activation_weight, any_weight;
  Need need;
  Gives gives;
};

inline constexpr std::size_t kMostUnary = 64;

// All operators of one operand that are drawn (lines `drawn` of program/operators/), sorted by name.
std::span<const Unary> unary_operators();
const Unary& find_unary(std::string_view name);

// What is known of the result's numbers.
Range range_of(Gives gives, const Range& range);
// Whether the operator may stand there: it is exact enough, and its result not everywhere the same.
bool fits(const Unary& op, const Range& range);
// "1.57" is 15 tenths.
int tenths_of(std::string_view number);

}  // namespace tritonrl::teacher
