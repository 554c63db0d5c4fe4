#pragma once

#include <cstddef>

namespace tritonrl::model {

// Memory of a cache on the host: large, read from end to end at every step, and filled slowly. In large pages where the
// system grants them (reading is half as fast again then); pages that are never written cost nothing.
class CacheMemory {
 public:
  explicit CacheMemory(std::size_t bytes);
  ~CacheMemory();
  CacheMemory(CacheMemory&& other) noexcept;
  CacheMemory(const CacheMemory&) = delete;
  CacheMemory& operator=(const CacheMemory&) = delete;
  CacheMemory& operator=(CacheMemory&&) = delete;

  void* data() const { return data_; }

 private:
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  void* data_ = nullptr;
};

}  // namespace tritonrl::model
