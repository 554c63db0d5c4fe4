#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/memory.h"
#include "program/program.h"
#include "runner/process/memory_space.h"

namespace tritonrl::runner {

// The memory of a run: each storage of the program once something makes it, of exactly its size, seen by torch and by
// the kernels. Host and target storages alike live in one space.
class Storages {
 public:
  // Throws Stop (out of memory) beyond `budget` bytes.
  Storages(const program::Program& program, std::uint64_t garbage_seed, std::int64_t budget,
           MemorySpace& space = HostSpace::instance());

  MemorySpace& space() const { return space_; }
  at::Device device() const { return space_.device(); }

  const program::Tensor& tensor(program::TensorRef ref) const {
    return program_.tensors[static_cast<std::size_t>(ref.index)];
  }
  bool exists(int storage) const { return entries_[static_cast<std::size_t>(storage)].storage.has_value(); }

  // The tensor as a view of its storage. One that does not exist is made: its constant, or garbage.
  at::Tensor view(program::TensorRef ref);
  void ensure(program::TensorRef ref) { made(tensor(ref).storage, tensor(ref).dtype); }
  // Memory without meaning: garbage, anew if it exists.
  void make_undefined(int storage, program::DType dtype);
  // Memory that is about to be written as a whole, anew if it exists.
  void make_unwritten(int storage);
  // The memory that the next make_undefined of this storage takes, made now: a clock must not see it being filled.
  void prepare(int storage, program::DType dtype);
  // Memory of which only touched pages exist, filled where a kernel touches it: with plausible data of the type
  // (fill_with_data), with floats in [0, 1), or with zeros.
  enum class Lazy : std::uint8_t { kData, kUnits, kZeros };
  void make_lazy(int storage, program::DType dtype, Lazy fill = Lazy::kData);
  // The same contents as another such storage has before anything is stored to it.
  void make_lazy_like(int storage, int other);
  bool is_lazy(int storage) const { return entries_[static_cast<std::size_t>(storage)].lazy; }
  // What lazy memory holds from `offset` on (a multiple of its element's size) before anything is stored to it.
  void fill_as_made(int storage, std::int64_t offset, std::byte* to, std::int64_t bytes);
  // Whether any of these bytes of lazy memory may differ from that.
  bool touched(int storage, std::int64_t offset, std::int64_t bytes);
  // All of lazy memory is there from now on: for torch. `overwritten`: what it holds does not matter.
  void materialise(int storage, bool overwritten = false);
  // Torch has written lazy memory: from now on it is like any other.
  void settle(int storage);
  // Torch's own memory of the same size becomes the storage's.
  void adopt(int storage, const c10::Storage& made);
  // Something else than a kernel wrote it: conservatively, all of it means something now.
  void define(int storage);
  void drop(int storage);

  std::byte* data(int storage);  // an address of the space
  at::Tensor all_bytes(int storage);
  std::int64_t bytes(int storage) const { return program_.storages[static_cast<std::size_t>(storage)].bytes; }

  // The storage for the kernels, under a name for messages. Made like view() does.
  machine::Allocation& allocation(int storage, const std::string& name = {});
  machine::Memory& memory() { return memory_; }

  // A tensor's elements in order.
  std::string contents(program::TensorRef ref) { return elements_of(view(ref)); }
  static std::string elements_of(const at::Tensor& tensor);
  // Whether the tensor is all of its storage, element after element.
  bool is_whole(program::TensorRef ref) const;
  bool holds(program::TensorRef ref, std::string_view bytes);  // whether these are its contents
  void set_contents(program::TensorRef ref, const std::string& bytes);

  // Contents of a storage, and what is undefined of it, to go back to.
  struct Saved {
    int storage = 0;
    at::Tensor bytes;
    bool undefined = false;
    std::optional<std::vector<std::uint8_t>> mask;  // where kernels had it
  };
  Saved save(int storage);
  void restore(const Saved& saved);

 private:
  struct Entry {
    std::optional<c10::Storage> storage, prepared;
    bool undefined = false;  // nothing has been written since it was made, as far as no kernel had it
    bool lazy = false;
    Lazy fill = Lazy::kData;
    std::uint64_t key = 0;  // of `fill`
    program::DType dtype = program::DType::kUInt8;
    int allocation = -1;  // index into memory_
  };
  Entry& entry(int storage) { return entries_[static_cast<std::size_t>(storage)]; }
  Entry& made(int storage, program::DType dtype);
  c10::Storage allocate(int storage, program::DType dtype);
  std::uint64_t key(int storage) const;

  const program::Program& program_;
  const std::uint64_t garbage_seed_;
  const std::int64_t budget_;
  MemorySpace& space_;
  std::int64_t used_ = 0;
  std::vector<Entry> entries_;
  machine::Memory memory_;
};

}  // namespace tritonrl::runner
