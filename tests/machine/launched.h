#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "machine/ir/reader.h"
#include "machine/machine.h"

namespace tritonrl::machine {

// A kernel from IR text; a text that does not read fails the test.
inline Kernel kernel_of(const std::string& text) {
  base::Result<Module> module = read_ir(text);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error());
  base::Result<Kernel> kernel = Kernel::make(std::move(module).value(), "kernel.py");
  EXPECT_TRUE(kernel.ok()) << (kernel.ok() ? "" : kernel.error());
  return std::move(kernel).value();
}

// An array in the kernels' address space.
template <class T>
class Array {
 public:
  Array(Memory& memory, std::vector<T> values, std::string name, bool defined = true) : values_(std::move(values)) {
    index_ = memory.add(reinterpret_cast<std::byte*>(values_.data()),
                        static_cast<std::int64_t>(values_.size() * sizeof(T)), std::move(name), defined);
    address_ = memory.at(index_).address;
  }
  Argument argument() const { return PointerArgument{address_}; }
  const std::vector<T>& values() const { return values_; }
  T& operator[](std::size_t i) { return values_[i]; }
  int index() const { return index_; }

 private:
  std::vector<T> values_;
  int index_ = 0;
  std::uint64_t address_ = 0;
};

}  // namespace tritonrl::machine
