#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tritonrl::weights {

// Writes GGUF files byte by byte, wrong ones included.
class GgufBuilder {
 public:
  static constexpr std::uint32_t kU32 = 4, kF32 = 6, kBool = 7, kText = 8, kArray = 9;

  std::uint32_t magic = 0x46554747;
  std::uint32_t version = 3;
  std::uint64_t extra_tensors = 0;   // promised, but not there
  std::uint64_t extra_metadata = 0;  // likewise

  template <typename T>
  static std::string bytes(T number) {
    return {reinterpret_cast<const char*>(&number), sizeof(T)};
  }
  static std::string text(const std::string& words) { return bytes<std::uint64_t>(words.size()) + words; }

  GgufBuilder& raw(const std::string& key, std::uint32_t type, const std::string& value) {
    metadata_ += text(key) + bytes(type) + value;
    ++metadata_count_;
    return *this;
  }
  GgufBuilder& number(const std::string& key, std::uint32_t value) { return raw(key, kU32, bytes(value)); }
  GgufBuilder& real(const std::string& key, float value) { return raw(key, kF32, bytes(value)); }
  GgufBuilder& words(const std::string& key, const std::string& value) { return raw(key, kText, text(value)); }
  GgufBuilder& list(const std::string& key, const std::vector<std::string>& values) {
    std::string all = bytes(kText) + bytes<std::uint64_t>(values.size());
    for (const std::string& value : values) all += text(value);
    return raw(key, kArray, all);
  }
  GgufBuilder& numbers(const std::string& key, const std::vector<std::uint32_t>& values) {
    std::string all = bytes(kU32) + bytes<std::uint64_t>(values.size());
    for (const std::uint32_t value : values) all += bytes(value);
    return raw(key, kArray, all);
  }

  // `dimensions` as the file has them, the fastest first. The data are put where `offset` says by the caller of data().
  GgufBuilder& tensor(const std::string& name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
                      std::uint64_t offset) {
    tensors_ += text(name) + bytes(static_cast<std::uint32_t>(dimensions.size()));
    for (const std::uint64_t size : dimensions) tensors_ += bytes(size);
    tensors_ += bytes(type) + bytes(offset);
    ++tensor_count_;
    return *this;
  }
  GgufBuilder& data(const std::string& more) {
    data_ += more;
    return *this;
  }
  // A tensor of zeros behind the others.
  GgufBuilder& zeros(const std::string& name, const std::vector<std::uint64_t>& dimensions) {
    tensor(name, dimensions, 0, data_.size());
    std::uint64_t count = 1;
    for (const std::uint64_t size : dimensions) count *= size;
    data_.append((count * 4 + 31) / 32 * 32, '\0');
    return *this;
  }

  std::string file() const {
    std::string head = bytes(magic) + bytes(version) + bytes<std::uint64_t>(tensor_count_ + extra_tensors) +
                       bytes<std::uint64_t>(metadata_count_ + extra_metadata) + metadata_ + tensors_;
    head.append((32 - head.size() % 32) % 32, '\0');
    return head + data_;
  }

 private:
  std::string metadata_, tensors_, data_;
  std::uint64_t metadata_count_ = 0, tensor_count_ = 0;
};

}  // namespace tritonrl::weights
