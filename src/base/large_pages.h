#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace tritonrl::base {

// For arrays that may have many megabytes and are written from end to end: in pages of 4 KB, handing them out takes
// longer than writing them.
template <class T>
struct LargePages {
  using value_type = T;
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}  // NOLINT(google-explicit-constructor): as allocators are made of one another

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLargePage) return static_cast<T*>(::operator new(bytes));
    void* data = std::aligned_alloc(kLargePage, (bytes + kLargePage - 1) / kLargePage * kLargePage);
    if (data == nullptr) throw std::bad_alloc();
    madvise(data, bytes, MADV_HUGEPAGE);  // a system without them says no, and the memory is as good
    return static_cast<T*>(data);
  }
  void deallocate(T* data, std::size_t count) {
    if (count * sizeof(T) < kLargePage)
      ::operator delete(data);
    else
      std::free(data);
  }
  bool operator==(const LargePages&) const = default;
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace tritonrl::base
