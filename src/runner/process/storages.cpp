#include "runner/process/storages.h"

#include <ATen/ops/clone.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runner/process/garbage.h"
#include "runner/process/stop.h"
#include "runner/process/torch_types.h"

namespace tritonrl::runner {
namespace {

c10::Storage wrap(void* data, std::int64_t bytes, void* context, void (*release)(void*)) {
  return c10::Storage(c10::Storage::use_byte_size_t(), static_cast<std::size_t>(bytes),
                      at::DataPtr(data, context, release, at::Device(at::kCPU)), /*allocator=*/nullptr,
                      /*resizable=*/false);
}

struct Mapping {
  void* data;
  std::size_t bytes;
};

void unmap(void* context) {
  const auto* mapping = static_cast<Mapping*>(context);
  munmap(mapping->data, mapping->bytes);
  delete mapping;
}

}  // namespace

Storages::Storages(const program::Program& program, std::uint64_t garbage_seed, std::int64_t budget, MemorySpace& space)
    : program_(program),
      garbage_seed_(garbage_seed),
      budget_(budget),
      space_(space),
      entries_(program.storages.size()) {}

std::uint64_t Storages::key(int storage) const {
  return mixed(garbage_seed_, static_cast<std::uint64_t>(storage));
}

c10::Storage Storages::allocate(int storage, program::DType dtype) {
  const std::int64_t size = bytes(storage);
  if (size > budget_ - used_) out_of_memory(size);
  c10::Storage out = space_.allocate(size);
  space_.fill_with_garbage(out.mutable_data(), size, dtype, key(storage));
  return out;
}

void Storages::make_unwritten(int storage) {
  if (bytes(storage) > budget_ - used_) out_of_memory(bytes(storage));
  c10::Storage memory = space_.allocate(bytes(storage));  // before the old one is given up: at another address
  drop(storage);
  entry(storage).storage = std::move(memory);
  used_ += bytes(storage);
}

void Storages::prepare(int storage, program::DType dtype) {
  entry(storage).prepared = allocate(storage, dtype);
}

void Storages::make_undefined(int storage, program::DType dtype) {
  std::optional<c10::Storage> prepared = std::move(entry(storage).prepared);
  drop(storage);
  Entry& one = entry(storage);
  one.storage = prepared ? std::move(*prepared) : allocate(storage, dtype);
  one.undefined = true;
  one.dtype = dtype;
  used_ += bytes(storage);
}

void Storages::make_lazy(int storage, program::DType dtype, Lazy fill) {
  drop(storage);
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes(storage), 1));
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) out_of_memory(bytes(storage));
  Entry& one = entry(storage);
  one.storage = wrap(data, bytes(storage), new Mapping{data, size}, &unmap);
  one.lazy = true;
  one.fill = fill;
  one.key = key(storage);
  one.dtype = dtype;
}

void Storages::make_lazy_like(int storage, int other) {
  const Entry source = entry(other);
  make_lazy(storage, source.dtype, source.fill);
  entry(storage).key = source.key;
}

void Storages::fill_as_made(int storage, std::int64_t offset, std::byte* to, std::int64_t bytes) {
  const Entry& one = entry(storage);
  switch (one.fill) {
    case Lazy::kData:
      return fill_with_data(to, offset, bytes, one.dtype, one.key);
    case Lazy::kUnits:
      if (fill_with_units(to, offset, bytes, one.dtype, one.key)) return;
      [[fallthrough]];
    case Lazy::kZeros:
      std::memset(to, 0, static_cast<std::size_t>(bytes));
  }
}

bool Storages::touched(int storage, std::int64_t offset, std::int64_t count) {
  const Entry& one = entry(storage);
  if (!one.lazy) return true;
  if (one.allocation < 0 || count <= 0) return false;
  const std::vector<bool>& filled = memory_.at(one.allocation).filled;
  for (std::int64_t page = offset / machine::Memory::kPage; page <= (offset + count - 1) / machine::Memory::kPage;
       ++page) {
    if (filled[static_cast<std::size_t>(page)]) return true;
  }
  return false;
}

void Storages::materialise(int storage, bool overwritten) {
  if (!entry(storage).lazy) return;
  machine::Allocation& lazy = allocation(storage);
  for (std::size_t page = 0; page < lazy.filled.size(); ++page) {
    if (lazy.filled[page]) continue;
    lazy.filled[page] = true;
    if (overwritten) continue;
    const std::int64_t begin = static_cast<std::int64_t>(page) * machine::Memory::kPage;
    lazy.fill(begin, lazy.data + begin, std::min(machine::Memory::kPage, lazy.bytes - begin));
  }
}

void Storages::settle(int storage) {
  if (!entry(storage).lazy) return;
  materialise(storage);
  entry(storage).lazy = false;
  used_ += bytes(storage);
}

void Storages::adopt(int storage, const c10::Storage& made) {
  drop(storage);
  entry(storage).storage = made;
  used_ += bytes(storage);
}

Storages::Entry& Storages::made(int storage, program::DType dtype) {
  Entry& one = entry(storage);
  if (one.storage) return one;
  make_undefined(storage, dtype);
  const std::string& constant = program_.storages[static_cast<std::size_t>(storage)].constant;
  if (!constant.empty()) {
    const auto size = static_cast<std::int64_t>(constant.size());
    all_bytes(storage)
        .narrow(0, 0, size)
        .copy_(at::from_blob(const_cast<char*>(constant.data()), {size}, at::TensorOptions().dtype(at::kByte)));
    define(storage);
  }
  return one;
}

void Storages::define(int storage) {
  Entry& one = entry(storage);
  one.undefined = false;
  if (one.allocation >= 0) memory_.define(one.allocation);
}

void Storages::drop(int storage) {
  Entry& one = entry(storage);
  if (!one.storage) return;
  if (one.allocation >= 0) memory_.remove(one.allocation);
  if (!one.lazy) used_ -= bytes(storage);
  one = {};
}

std::byte* Storages::data(int storage) {
  return static_cast<std::byte*>(entry(storage).storage->mutable_data());
}

at::Tensor Storages::all_bytes(int storage) {
  at::Tensor out = at::empty({0}, at::TensorOptions().dtype(at::kByte).device(device()));
  return out.set_(*entry(storage).storage, 0, {bytes(storage)}, {1});
}

at::Tensor Storages::view(program::TensorRef ref) {
  const program::Tensor& view = tensor(ref);
  const Entry& memory = made(view.storage, view.dtype);
  at::Tensor out = at::empty({0}, at::TensorOptions().dtype(scalar_type(view.dtype)).device(device()));
  return out.set_(*memory.storage, view.offset, view.sizes, view.strides);
}

machine::Allocation& Storages::allocation(int storage, const std::string& name) {
  Entry& one = made(storage, program::DType::kUInt8);
  if (one.allocation < 0) {
    one.allocation = memory_.add(data(storage), bytes(storage), "storage " + std::to_string(storage), !one.undefined);
    memory_.at(one.allocation).storage = storage;
    if (one.lazy) {
      machine::Allocation& lazy = memory_.at(one.allocation);
      const auto pages = (bytes(storage) + machine::Memory::kPage - 1) / machine::Memory::kPage;
      lazy.filled.assign(static_cast<std::size_t>(pages), false);
      lazy.fill = [this, storage](std::int64_t offset, std::byte* page, std::int64_t count) {
        fill_as_made(storage, offset, page, count);
      };
    }
  }
  machine::Allocation& out = memory_.at(one.allocation);
  if (!name.empty()) out.name = name;
  return out;
}

std::string Storages::elements_of(const at::Tensor& tensor) {
  const at::Tensor whole = tensor.contiguous().cpu();
  if (whole.nbytes() == 0) return {};
  return {static_cast<const char*>(whole.const_data_ptr()), whole.nbytes()};
}

bool Storages::is_whole(program::TensorRef ref) const {
  const program::Tensor& view = tensor(ref);
  std::int64_t stride = 1;
  for (std::size_t d = view.sizes.size(); d-- > 0; stride *= view.sizes[d]) {
    if (view.sizes[d] != 1 && view.strides[d] != stride) return false;
  }
  return view.offset == 0 && stride * program::size_of(view.dtype) == bytes(view.storage);
}

bool Storages::holds(program::TensorRef ref, std::string_view bytes) {
  const at::Tensor whole = view(ref).contiguous().cpu();
  return whole.nbytes() == bytes.size() &&
         (bytes.empty() || std::memcmp(whole.const_data_ptr(), bytes.data(), bytes.size()) == 0);
}

void Storages::set_contents(program::TensorRef ref, const std::string& bytes) {
  const program::Tensor& target = tensor(ref);
  if (static_cast<std::size_t>(target.numel() * program::size_of(target.dtype)) != bytes.size())
    throw Stop{RunOutcome::Kind::kMalformed, "contents of another length"};
  const auto options = at::TensorOptions().dtype(scalar_type(target.dtype));
  // read only; a string's bytes are aligned for every type
  const at::Tensor source = bytes.empty() ? at::empty(target.sizes, options)
                                          : at::from_blob(const_cast<char*>(bytes.data()), target.sizes, options);
  // garbage that nothing can see is not made
  if (!exists(target.storage) && is_whole(ref)) make_unwritten(target.storage);
  view(ref).copy_(source);
  define(target.storage);
}

Storages::Saved Storages::save(int storage) {
  Entry& one = entry(storage);
  Saved out{.storage = storage, .bytes = all_bytes(storage).clone(), .undefined = one.undefined, .mask = std::nullopt};
  if (one.allocation >= 0) out.mask = memory_.at(one.allocation).undefined;
  return out;
}

void Storages::restore(const Saved& saved) {
  if (!exists(saved.storage)) return;  // nothing needs it any more
  Entry& one = entry(saved.storage);
  all_bytes(saved.storage).copy_(saved.bytes);
  one.undefined = saved.undefined;
  if (one.allocation < 0) return;
  machine::Allocation& kernel_side = memory_.at(one.allocation);
  if (saved.mask)
    kernel_side.undefined = *saved.mask;
  else
    kernel_side.undefined.assign(saved.undefined ? static_cast<std::size_t>(bytes(saved.storage)) : 0, 1);
}

}  // namespace tritonrl::runner
