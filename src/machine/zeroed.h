#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace tritonrl::machine {

// How much of a block will be touched. Where it is most of it, few large pages cost a fraction of many small ones;
// where it is little, they would be memory for nothing.
enum class Touched { kMostly, kHereAndThere };

// Zeroed memory that takes no more than what is touched of it; std::bad_alloc if there is none.
void* zeroed_bytes(std::size_t bytes, Touched how, std::size_t* mapped);
void free_zeroed(void* data, std::size_t mapped);

// An array of zeros.
template <class T>
class Zeroed {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Zeroed() = default;
  Zeroed(std::size_t count, Touched how) {
    std::size_t mapped = 0;
    void* data = zeroed_bytes(count * sizeof(T), how, &mapped);
    data_ = {static_cast<T*>(data), Free{mapped}};
  }

  explicit operator bool() const { return data_ != nullptr; }
  T* get() const { return data_.get(); }
  T& operator[](std::size_t index) const { return data_.get()[index]; }

 private:
  struct Free {
    std::size_t mapped = 0;
    void operator()(T* data) const { free_zeroed(data, mapped); }
  };
  std::unique_ptr<T, Free> data_;
};

}  // namespace tritonrl::machine
