#include "weights/mapped_tensors.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/error.h"

namespace tritonrl::weights {

void no_such_tensor(const TensorFiles& files, std::string_view name) {
  throw base::UserError("weights", files.where() + ": has no tensor \"" + std::string(name) + "\"");
}

StoredTensor copied_tensor(const TensorInfo& info, std::span<const std::byte> bytes) {
  const std::shared_ptr<std::byte[]> memory(new std::byte[bytes.size()]);
  if (!bytes.empty()) std::memcpy(memory.get(), bytes.data(), bytes.size());
  return {.info = info, .data = {memory.get(), bytes.size()}, .owner = memory};
}

bool is_aligned(std::span<const std::byte> bytes, Dtype dtype) {
  return reinterpret_cast<std::uintptr_t>(bytes.data()) % size_of(dtype) == 0;
}

MappedTensors::MappedTensors(std::vector<Piece> pieces, std::string where)
    : pieces_(std::move(pieces)), where_(std::move(where)) {
  list_.reserve(pieces_.size());
  for (const Piece& piece : pieces_) {
    TRL_CHECK(list_.empty() || list_.back().name < piece.info.name, "tensors in the order of names");
    TRL_CHECK(piece.begin <= piece.end && piece.end <= piece.file->bytes().size(), "a tensor inside its file");
    list_.push_back(piece.info);
  }
}

StoredTensor MappedTensors::load(std::string_view name) const {
  const TensorInfo* const info = find(name);
  if (info == nullptr) no_such_tensor(*this, name);
  const Piece& piece = pieces_[static_cast<std::size_t>(info - list_.data())];
  const std::span<const std::byte> bytes = piece.file->bytes().subspan(piece.begin, piece.end - piece.begin);
  if (!is_aligned(bytes, info->dtype)) return copied_tensor(*info, bytes);
  return {.info = *info, .data = bytes, .owner = piece.file};
}

std::string MappedTensors::file_of(std::string_view name) const {
  const TensorInfo* const info = find(name);
  return info == nullptr ? where_ : pieces_[static_cast<std::size_t>(info - list_.data())].file->path().string();
}

}  // namespace tritonrl::weights
