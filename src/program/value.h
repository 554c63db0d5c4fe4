#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "program/dtype.h"

namespace tritonrl::program {

// An index into Program::tensors.
struct TensorRef {
  int index = 0;
  bool operator==(const TensorRef&) const = default;
};

// Where a storage lives: the machine's memory or the (imagined) target GPU's.
enum class Device : std::uint8_t { kHost, kTarget };

// A name that only means something to Triton: "tl.float32", or a jit function passed as a constant.
struct Symbol {
  std::string name;
  bool operator==(const Symbol&) const = default;
};

struct Keyword {  // memory formats and layouts by torch's names: "channels_last", "strided"
  std::string name;
  bool operator==(const Keyword&) const = default;
};

// A host-made tensor descriptor (TMA) passed to a kernel.
struct Descriptor {
  TensorRef base;
  std::vector<std::int64_t> shape, strides, block;
  bool nan_outside = false;     // what lies outside of it reads as NaN, not as zero
  bool rounds_to_tf32 = false;  // of float32: what is read is rounded to tf32
  bool operator==(const Descriptor&) const = default;
};

// One argument or result of a call.
struct Value {
  using List = std::vector<Value>;
  std::variant<std::monostate, bool, std::int64_t, double, std::complex<double>, std::string, TensorRef, DType, Device,
               Keyword, Symbol, Descriptor, List>
      data;

  bool operator==(const Value&) const = default;
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&data);
  }
  bool is_none() const { return std::holds_alternative<std::monostate>(data); }
};

// Calls `visit(TensorRef)` for every tensor inside the value, lists included.
template <class Visitor>
void for_each_tensor(const Value& value, Visitor&& visit) {
  if (const auto* tensor = value.get_if<TensorRef>()) visit(*tensor);
  if (const auto* descriptor = value.get_if<Descriptor>()) visit(descriptor->base);
  if (const auto* list = value.get_if<Value::List>()) {
    for (const Value& item : *list) for_each_tensor(item, visit);
  }
}

}  // namespace tritonrl::program
