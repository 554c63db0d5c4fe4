#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "machine/access.h"
#include "machine/numbers/scalar.h"

namespace tritonrl::machine {

enum class AtomicKind : std::uint8_t {
  kAdd,
  kFloatAdd,
  kAnd,
  kOr,
  kXor,
  kMax,
  kMin,
  kUnsignedMax,
  kUnsignedMin,
  kExchange
};

// Attribute "rmw" of tt.atomic_rmw ("fadd", "umax", …).
std::optional<AtomicKind> atomic_kind(std::string_view text);
// Attribute "kind" of tt.descriptor_reduce ("add", "max", …).
std::optional<AtomicKind> descriptor_reduction(std::string_view text, Scalar element);

// Updates every lane's place with its value, in the order of the lanes; old values go to `old` if that is not null.
bool update(Worker& worker, const Step& step, Access access, Scalar element, AtomicKind kind, const void* values,
            void* old);

}  // namespace tritonrl::machine
