#pragma once

#include <cstring>

#include "weights/gguf.h"

namespace tritonrl::weights {

// Reads forwards and never past the end.
class GgufFile::Cursor {
 public:
  Cursor(std::span<const std::byte> file, const GgufFile& owner) : file_(file), owner_(owner) {}

  template <typename T>
  T read(const char* what) {
    T number{};
    std::memcpy(&number, take(sizeof(T), what).data(), sizeof(T));
    return number;
  }

  std::string_view text(const char* what) {
    const std::span<const std::byte> bytes = take(read<std::uint64_t>(what), what);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::span<const std::byte> take(std::uint64_t count, const char* what) {
    if (count > left()) {
      owner_.fail("ends inside " + std::string(what) + " at byte " + std::to_string(at_) + "; the copy did not finish");
    }
    const std::span<const std::byte> bytes = file_.subspan(at_, static_cast<std::size_t>(count));
    at_ += bytes.size();
    return bytes;
  }

  std::size_t left() const { return file_.size() - at_; }
  std::size_t at() const { return at_; }
  std::span<const std::byte> since(std::size_t begin) const { return file_.subspan(begin, at_ - begin); }

 private:
  std::span<const std::byte> file_;
  const GgufFile& owner_;
  std::size_t at_ = 0;
};

}  // namespace tritonrl::weights
