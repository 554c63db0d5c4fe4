#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "weights/mapped_file.h"
#include "weights/tensor_files.h"

namespace tritonrl::weights {

// Tensors that lie in mapped files as they are used: load() copies nothing, unless a file has put a tensor at an
// address that its type cannot be read from.
class MappedTensors : public TensorFiles {
 public:
  struct Piece {
    TensorInfo info;
    std::shared_ptr<const MappedFile> file;
    std::size_t begin = 0;  // of its bytes in the file
    std::size_t end = 0;
  };
  // `pieces` in the order of names, each inside its file.
  MappedTensors(std::vector<Piece> pieces, std::string where);

  const std::vector<TensorInfo>& list() const override { return list_; }
  StoredTensor load(std::string_view name) const override;
  std::string where() const override { return where_; }
  std::string file_of(std::string_view name) const override;

 private:
  std::vector<Piece> pieces_;
  std::vector<TensorInfo> list_;
  std::string where_;
};

// The error of load() for a name that is not there.
[[noreturn]] void no_such_tensor(const TensorFiles& files, std::string_view name);
// Memory of its own with these bytes, aligned for every type.
StoredTensor copied_tensor(const TensorInfo& info, std::span<const std::byte> bytes);
// Whether elements of the type can be read where the bytes lie.
bool is_aligned(std::span<const std::byte> bytes, Dtype dtype);

}  // namespace tritonrl::weights
