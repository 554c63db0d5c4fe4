#include "machine/zeroed.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace tritonrl::machine {
namespace {

constexpr std::size_t kMapped = std::size_t{1} << 20;  // bytes from which on a mapping of its own is worth its call

}  // namespace

void* zeroed_bytes(std::size_t bytes, Touched how, std::size_t* mapped) {
  if (bytes < kMapped) {
    *mapped = 0;
    if (void* data = std::calloc(bytes, 1)) return data;
    throw std::bad_alloc();
  }
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  // a system that knows no large pages says no, and the memory is as good
  madvise(data, bytes, how == Touched::kMostly ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  *mapped = bytes;
  return data;
}

void free_zeroed(void* data, std::size_t mapped) {
  if (mapped > 0)
    munmap(data, mapped);
  else
    std::free(data);
}

}  // namespace tritonrl::machine
