#include "runner/process/ready_kernels.h"

#include <utility>

#include "machine/ir/reader.h"

namespace tritonrl::runner {
namespace {

base::Result<machine::Kernel> prepare(const KernelImage& image) {
  base::Result<machine::Module> module = machine::read_ir(image.ir);
  if (!module.ok()) return base::Failure{module.error()};
  return machine::Kernel::make(std::move(module).value(), image.source_file);
}

}  // namespace

const base::Result<machine::Kernel>& ReadyKernels::find(const KernelImage& image) {
  std::string key = image.source_file + '\0' + image.ir;
  const auto known = by_text_.find(key);
  if (known != by_text_.end()) return known->second;
  return by_text_.emplace(std::move(key), prepare(image)).first->second;
}

}  // namespace tritonrl::runner
