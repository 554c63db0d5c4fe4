#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/arithmetic/elementwise.h"

namespace tritonrl::machine {

// Elements of any type as bytes, and operations called by their name.
struct Elements {
  Scalar scalar = Scalar::kNone;
  std::vector<unsigned char> bytes;

  std::int64_t count() const { return static_cast<std::int64_t>(bytes.size()) / size_of(scalar); }
  template <class T>
  T at(std::int64_t index) const {
    T value;
    std::memcpy(&value, bytes.data() + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
    return value;
  }
};

template <class T>
Elements elements(Scalar scalar, const std::vector<T>& values) {
  Elements result{scalar, std::vector<unsigned char>(values.size() * sizeof(T))};
  std::memcpy(result.bytes.data(), values.data(), result.bytes.size());
  return result;
}

using Attributes = std::vector<std::pair<std::string, Attribute>>;

struct Call {
  std::string name;
  Attributes attributes = {};
  Scalar element = Scalar::kNone;
  int result = 0;
};

inline ElementwiseOp find(const Call& call, const std::vector<Scalar>& in, Scalar out) {
  Operation op;
  op.name = call.name;
  op.attributes = call.attributes;
  return find_elementwise(op, in, out, call.element, call.result);
}

// Empty if the operation is not known.
inline Elements run(const Call& call, const std::vector<Elements>& in, Scalar out) {
  std::vector<Scalar> scalars;
  std::vector<const void*> operands;
  for (const Elements& operand : in) {
    scalars.push_back(operand.scalar);
    operands.push_back(operand.bytes.data());
  }
  const ElementwiseOp op = find(call, scalars, out);
  Elements result{out, {}};
  if (op.run == nullptr) return result;
  result.bytes.resize(static_cast<std::size_t>(in[0].count() * size_of(out)));
  op.run(result.bytes.data(), operands.data(), in[0].count());
  return result;
}

inline Call external(std::string_view symbol) {
  return {"tt.extern_elementwise", {{"symbol", std::string(symbol)}}};
}

}  // namespace tritonrl::machine
