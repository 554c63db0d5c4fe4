#include "runner/device/device_space.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>

#include "runner/device/driver.h"
#include "runner/process/garbage.h"

namespace tritonrl::runner {
namespace {

constexpr std::int64_t kFence = 16 << 10;  // bytes on either side; a multiple of every alignment that kernels count on
constexpr int kPattern = 0x5b;

// What c10 hands back when a tensor's memory is given up.
struct Owned {
  DeviceSpace* space;
  const void* data;
};

at::TensorOptions bytes_there() {
  return at::TensorOptions().dtype(at::kByte).device(at::kCUDA, 0);
}

}  // namespace

DeviceSpace::DeviceSpace()
    : generator_(at::detail::getCUDAHooks().getNewGenerator(0)),
      broken_(at::zeros({}, at::TensorOptions().dtype(at::kLong).device(at::kCUDA, 0))) {}

c10::Storage DeviceSpace::allocate(std::int64_t bytes) {
  at::Tensor whole;
  try {
    whole = at::empty({bytes + 2 * kFence}, bytes_there());
  } catch (const c10::Error&) {
    out_of_memory(bytes);
  }
  whole.narrow(0, 0, kFence).fill_(kPattern);
  whole.narrow(0, kFence + bytes, kFence).fill_(kPattern);
  void* data = static_cast<std::byte*>(whole.mutable_data_ptr()) + kFence;
  live_[data] = std::move(whole);
  return c10::Storage(c10::Storage::use_byte_size_t(), static_cast<std::size_t>(bytes),
                      at::DataPtr(data, new Owned{this, data}, &release, device()), /*allocator=*/nullptr,
                      /*resizable=*/false);
}

void DeviceSpace::release(void* context) {
  const auto* owned = static_cast<Owned*>(context);
  const auto found = owned->space->live_.find(owned->data);
  try {
    if (!owned->space->quick_) owned->space->look_at_fences(found->second);
  } catch (const std::exception&) {
    // a context that can do nothing any more: whoever synchronises says so
  }
  owned->space->live_.erase(found);
  delete owned;
}

void DeviceSpace::look_at_fences(const at::Tensor& whole) {
  const std::int64_t bytes = whole.numel() - 2 * kFence;
  for (const std::int64_t begin : {std::int64_t{0}, kFence + bytes}) {
    broken_.add_(at::sum(at::ne(whole.narrow(0, begin, kFence), kPattern)));
  }
}

std::int64_t DeviceSpace::broken_fences() {
  for (const auto& [data, whole] : live_) look_at_fences(whole);
  const std::int64_t out = broken_.item().toLong();
  broken_.zero_();
  for (auto& [data, whole] : live_) {  // each is told once
    whole.narrow(0, 0, kFence).fill_(kPattern);
    whole.narrow(0, whole.numel() - kFence, kFence).fill_(kPattern);
  }
  return out;
}

void DeviceSpace::fill_with_garbage(void* data, std::int64_t bytes, program::DType dtype, std::uint64_t key) {
  if (bytes == 0) return;
  if (quick_) {
    const bool truth = dtype == program::DType::kBool;
    const auto value = truth ? 0x01010101U : static_cast<unsigned>(mixed(key, ++filled_));
    const auto address = reinterpret_cast<CUdeviceptr>(data);
    if (bytes >= 4)
      check(driver().cuMemsetD32Async_(address, value, static_cast<std::size_t>(bytes / 4), nullptr),
            "cuMemsetD32Async");
    if (bytes % 4 != 0)
      at::from_blob(static_cast<std::byte*>(data) + bytes / 4 * 4, {bytes % 4}, bytes_there()).fill_(1);
    return;
  }
  generator_.set_current_seed(key);
  if (dtype == program::DType::kBool) {
    at::from_blob(data, {bytes}, bytes_there()).random_(0, 2, generator_);
    return;
  }
  if (bytes >= 8) at::from_blob(data, {bytes / 8}, bytes_there().dtype(at::kLong)).random_(generator_);
  if (bytes % 8 != 0) {
    at::from_blob(static_cast<std::byte*>(data) + bytes / 8 * 8, {bytes % 8}, bytes_there())
        .random_(0, 256, generator_);
  }
}

}  // namespace tritonrl::runner
