#include "machine/numbers/scalar.h"

#include <array>

#include "base/check.h"

namespace tritonrl::machine {
namespace {

struct ScalarFacts {
  std::string_view name;
  int size;
};

// In the order of the enumeration.
constexpr std::array<ScalarFacts, 17> kFacts = {{
    {"none", 0},
    {"i1", 1},
    {"i8", 1},
    {"i16", 2},
    {"i32", 4},
    {"i64", 8},
    {"index", 8},
    {"f8E4M3FN", 1},
    {"f8E5M2", 1},
    {"f8E4M3B11FNUZ", 1},
    {"f8E4M3FNUZ", 1},
    {"f8E5M2FNUZ", 1},
    {"f16", 2},
    {"bf16", 2},
    {"f32", 4},
    {"f64", 8},
    {"ptr", 8},
}};

const ScalarFacts& facts(Scalar scalar) {
  const auto index = static_cast<std::size_t>(scalar);
  TRL_CHECK(index < kFacts.size(), "not a scalar");
  return kFacts[index];
}

}  // namespace

int size_of(Scalar scalar) {
  return facts(scalar).size;
}

bool is_float(Scalar scalar) {
  return scalar >= Scalar::kF8E4M3 && scalar <= Scalar::kF64;
}

bool is_integer(Scalar scalar) {
  return scalar >= Scalar::kI1 && scalar <= Scalar::kIndex;
}

std::string to_string(Scalar scalar) {
  return std::string(facts(scalar).name);
}

Scalar scalar_named(std::string_view name) {
  const bool signs = name.starts_with("si") || (name.starts_with("ui") && name != "ui1");
  const Scalar last = signs ? Scalar::kI64 : Scalar::kF64;
  for (std::size_t i = 1; i <= static_cast<std::size_t>(last); ++i) {
    if (kFacts[i].name == name.substr(signs ? 1 : 0)) return static_cast<Scalar>(i);
  }
  return Scalar::kNone;
}

}  // namespace tritonrl::machine
