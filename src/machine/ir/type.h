#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/numbers/scalar.h"

namespace tritonrl::machine {

struct Type {
  enum class Kind : std::uint8_t {
    kScalar,
    kTensor,
    kBlockPointer,  // !tt.ptr<tensor<...>>: `element` and `shape` are the block's
    kDescriptor,    // !tt.tensordesc<tensor<...>>: the same
    kOpaque,        // anything else; survives until executed
  };
  Kind kind = Kind::kOpaque;
  Scalar scalar = Scalar::kNone;    // of one element; kPointer for pointers and tensors of them
  Scalar element = Scalar::kNone;   // kPointer: what it points to; block pointers and descriptors: the block's element
  Scalar inner = Scalar::kNone;     // `element` is kPointer in turn: what that one points to
  std::vector<std::int64_t> shape;  // empty for scalars
  std::string text;                 // kOpaque: as written
  bool operator==(const Type&) const = default;

  std::int64_t count() const {  // elements
    std::int64_t n = 1;
    for (const std::int64_t size : shape) n *= size;
    return n;
  }
};

std::string to_string(const Type& type);

}  // namespace tritonrl::machine
