#include "model/stored_tensor.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include "model/dtype_map.h"

namespace tritonrl::model {
namespace {

// Elements at an address that their type does not allow (safetensors promises only the header's padding) are copied.
bool misaligned(const weights::StoredTensor& stored) {
  return reinterpret_cast<std::uintptr_t>(stored.data.data()) % weights::size_of(stored.info.dtype) != 0;
}

}  // namespace

at::Tensor as_tensor(const weights::StoredTensor& stored) {
  const auto dtype = torch_dtype(stored.info.dtype);
  if (stored.data.empty()) return at::empty(stored.info.shape, dtype);
  if (misaligned(stored)) {
    const at::Tensor copy = at::empty(stored.info.shape, dtype);
    std::memcpy(copy.mutable_data_ptr(), stored.data.data(), stored.data.size());
    return copy;
  }
  void* data = const_cast<std::byte*>(stored.data.data());
  return at::from_blob(
      data, stored.info.shape, [owner = stored.owner](void*) {}, dtype);
}

weights::TensorToWrite to_write(const std::string& name, const at::Tensor& tensor) {
  weights::TensorInfo info{.name = name, .dtype = stored_dtype(tensor.scalar_type()), .shape = tensor.sizes().vec()};
  return {info, [info, tensor] {
            auto host = std::make_shared<at::Tensor>(tensor.detach().to(at::kCPU).contiguous());
            const auto* data = static_cast<const std::byte*>(host->const_data_ptr());
            return weights::StoredTensor{info, {data, host->nbytes()}, host};
          }};
}

}  // namespace tritonrl::model
