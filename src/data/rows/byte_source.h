#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace tritonrl::data {

// Bytes from the beginning to the end, once. For one thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Reads up to `size` > 0 bytes, at least one of them; 0 only at the end. InfrastructureError if the disk fails.
  virtual std::size_t read(char* to, std::size_t size) = 0;
};

// UserError if the file cannot be opened.
std::unique_ptr<ByteSource> file_source(const std::filesystem::path& path);

// `bytes` must outlive the source. At most `step` bytes a read; for tests.
std::unique_ptr<ByteSource> memory_source(std::string_view bytes, std::size_t step = std::size_t{1} << 20);

}  // namespace tritonrl::data
