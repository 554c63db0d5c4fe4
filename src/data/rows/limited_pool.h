#pragma once

#include <arrow/memory_pool.h>
#include <arrow/status.h>

#include <cstdint>
#include <string>

namespace tritonrl::data {

// Arrow's memory of the system, up to a limit: a damaged page may claim any size, and that shall cost its row group and
// not the process. For one thread at a time.
class LimitedPool : public arrow::MemoryPool {
 public:
  // Bytes held at a time; none may be had before it is set.
  void set_limit(std::int64_t limit) { limit_ = limit; }

  using MemoryPool::Allocate;
  using MemoryPool::Free;
  using MemoryPool::Reallocate;

  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override {
    ARROW_RETURN_NOT_OK(check(size));
    ARROW_RETURN_NOT_OK(under_->Allocate(size, alignment, out));
    count(size);
    return arrow::Status::OK();
  }

  arrow::Status Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment,
                           std::uint8_t** memory) override {
    ARROW_RETURN_NOT_OK(check(new_size - old_size));
    ARROW_RETURN_NOT_OK(under_->Reallocate(old_size, new_size, alignment, memory));
    count(new_size - old_size);
    return arrow::Status::OK();
  }

  void Free(std::uint8_t* memory, std::int64_t size, std::int64_t alignment) override {
    under_->Free(memory, size, alignment);
    held_ -= size;
  }

  void ReleaseUnused() override { under_->ReleaseUnused(); }
  std::int64_t bytes_allocated() const override { return held_; }
  std::int64_t max_memory() const override { return most_held_; }
  std::int64_t total_bytes_allocated() const override { return total_; }
  std::int64_t num_allocations() const override { return allocations_; }
  std::string backend_name() const override { return under_->backend_name(); }

 private:
  arrow::Status check(std::int64_t more) const {
    if (more <= limit_ - held_) return arrow::Status::OK();
    return arrow::Status::OutOfMemory("it claims to need more than ", limit_ >> 20, " MiB of memory");
  }

  void count(std::int64_t more) {
    held_ += more;
    most_held_ = held_ > most_held_ ? held_ : most_held_;
    total_ += more > 0 ? more : 0;
    ++allocations_;
  }

  arrow::MemoryPool* under_ = arrow::system_memory_pool();
  std::int64_t limit_ = 0, held_ = 0, most_held_ = 0, total_ = 0, allocations_ = 0;
};

}  // namespace tritonrl::data
