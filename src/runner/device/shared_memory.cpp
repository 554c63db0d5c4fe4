#include "runner/device/shared_memory.h"

#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <utility>

#include "runner/device/driver.h"

namespace tritonrl::runner {
namespace {

CUmemAllocationProp properties() {
  CUmemAllocationProp out{};
  out.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  out.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  out.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  out.location.id = 0;
  return out;
}

std::size_t whole_pages(std::int64_t bytes) {
  const CUmemAllocationProp made_so = properties();
  std::size_t page = 0;
  check(driver().cuMemGetAllocationGranularity_(&page, &made_so, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
        "cuMemGetAllocationGranularity");
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  return (size + page - 1) / page * page;
}

}  // namespace

SharedMemory SharedMemory::make(std::int64_t bytes) {
  SharedMemory out;
  out.bytes_ = bytes;
  out.mapped_ = whole_pages(bytes);
  const CUmemAllocationProp made_so = properties();
  check(driver().cuMemCreate_(&out.handle_, out.mapped_, &made_so, 0), "cuMemCreate");
  out.map_all(true);
  return out;
}

SharedMemory SharedMemory::map(int descriptor, std::int64_t bytes, bool writable) {
  SharedMemory out;
  out.bytes_ = bytes;
  out.mapped_ = whole_pages(bytes);
  check(driver().cuMemImportFromShareableHandle_(&out.handle_, reinterpret_cast<void*>(std::intptr_t{descriptor}),
                                                 CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
        "cuMemImportFromShareableHandle");
  out.map_all(writable);
  return out;
}

void SharedMemory::map_all(bool writable) {
  check(driver().cuMemAddressReserve_(&address_, mapped_, 0, 0, 0), "cuMemAddressReserve");
  check(driver().cuMemMap_(address_, mapped_, 0, handle_, 0), "cuMemMap");
  CUmemAccessDesc access{};
  access.location = properties().location;
  access.flags = writable ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_READ;
  check(driver().cuMemSetAccess_(address_, mapped_, &access, 1), "cuMemSetAccess");
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept {
  *this = std::move(other);
}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

// Errors are a broken context's: its process ends soon.
SharedMemory::~SharedMemory() {
  if (handle_ == 0) return;
  driver().cuCtxSynchronize_();
  if (address_ != 0) {
    driver().cuMemUnmap_(address_, mapped_);
    driver().cuMemAddressFree_(address_, mapped_);
  }
  driver().cuMemRelease_(handle_);
}

base::UniqueFd SharedMemory::descriptor() const {
  int out = -1;
  check(driver().cuMemExportToShareableHandle_(&out, handle_, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
        "cuMemExportToShareableHandle");
  return base::UniqueFd(out);
}

at::Tensor SharedMemory::tensor(at::IntArrayRef sizes, at::ScalarType dtype) const {
  return at::from_blob(reinterpret_cast<void*>(address_), sizes, at::TensorOptions().dtype(dtype).device(at::kCUDA, 0));
}

}  // namespace tritonrl::runner
