#pragma once

#include <cstdint>
#include <span>

namespace tritonrl::model {

// Keys of one head are kept in blocks of this many, dimension by dimension, so that one vector holds one dimension of a
// whole block.
constexpr std::int64_t kKeyBlock = 16;

// A stretch of one slot's cache that a query may see, for one key-value head. `keys` is [blocks][head_dim][kKeyBlock],
// `values` [tokens][head_dim]; both in the cache's type.
template <class Element>
struct CachedStretch {
  const Element* keys = nullptr;
  const Element* values = nullptr;
  std::int64_t begin = 0;  // tokens [begin, end), counted from the slot's first
  std::int64_t end = 0;
};

struct BFloat16Bits {
  std::uint16_t bits = 0;
};

// Queries that attend to the same stretch, one row each of head_dim floats, already scaled. `state` carries what online
// softmax needs from stretch to stretch.
struct QueryRows {
  std::int64_t count = 0;
  std::int64_t head_dim = 0;
  const float* queries = nullptr;  // [count][head_dim]
  float* largest = nullptr;        // [count], -inf at first
  float* total = nullptr;          // [count], 0 at first
  float* sums = nullptr;           // [count][head_dim], 0 at first
};

// Adds the stretch to the rows' state. The result of a row is sums / total after its last stretch.
void attend_stretch(const QueryRows& rows, const CachedStretch<float>& stretch);
void attend_stretch(const QueryRows& rows, const CachedStretch<BFloat16Bits>& stretch);

}  // namespace tritonrl::model
