#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weights/dtype.h"

namespace tritonrl::weights {

struct TensorInfo {
  std::string name;  // Hugging Face's, whatever the file calls it
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape;  // row-major; empty for a scalar
};

// Elements of one tensor: a view of the mapped file, or memory of its own where they had to be unpacked.
struct StoredTensor {
  TensorInfo info;
  std::span<const std::byte> data;
  std::shared_ptr<const void> owner;  // keeps `data` alive
};

// The named tensors of a model or an adapter, from one file or many. Thread-safe.
class TensorFiles {
 public:
  virtual ~TensorFiles() = default;
  // In the order of names; types as load() gives them (quantised ones as F32).
  virtual const std::vector<TensorInfo>& list() const = 0;
  // UserError, naming the file, if there is no such tensor.
  virtual StoredTensor load(std::string_view name) const = 0;
  // For messages: the file, or the folder of shards.
  virtual std::string where() const = 0;
  // The file that one of them lies in.
  virtual std::string file_of(std::string_view) const { return where(); }

  const TensorInfo* find(std::string_view name) const;
};

}  // namespace tritonrl::weights
