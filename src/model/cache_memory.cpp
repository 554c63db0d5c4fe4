#include "model/cache_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"

namespace tritonrl::model {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

CacheMemory::CacheMemory(std::size_t bytes) : mapped_bytes_(bytes + kLargePage) {
  mapped_ = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped_ == MAP_FAILED) {
    mapped_ = nullptr;
    throw base::UserError("model", base::system_message("no room for a cache of " + std::to_string(bytes) +
                                                        " bytes; use fewer slots or a shorter context"));
  }
  const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
  data_ = reinterpret_cast<void*>((address + kLargePage - 1) / kLargePage * kLargePage);
  ::madvise(data_, bytes, MADV_HUGEPAGE);  // a wish: small pages serve too
}

CacheMemory::CacheMemory(CacheMemory&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)), mapped_bytes_(other.mapped_bytes_), data_(other.data_) {}

CacheMemory::~CacheMemory() {
  if (mapped_) ::munmap(mapped_, mapped_bytes_);
}

}  // namespace tritonrl::model
