#include "runner/device/driver.h"

#include <dlfcn.h>

namespace tritonrl::runner {
namespace {

// cuda.h names the current version of a function by a macro: the text after its expansion is the symbol.
#define TRITONRL_TEXT(name) #name
#define TRITONRL_SYMBOL(name) TRITONRL_TEXT(name)

Driver load() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error("there is no CUDA driver here (libcuda.so.1)");
  Driver out;
#define TRITONRL_LOOK_UP(name)                                                                  \
  out.name##_ = reinterpret_cast<decltype(out.name##_)>(dlsym(library, TRITONRL_SYMBOL(name))); \
  if (out.name##_ == nullptr) throw std::runtime_error("the CUDA driver is too old: it has no " TRITONRL_SYMBOL(name));
  TRITONRL_DRIVER_FUNCTIONS(TRITONRL_LOOK_UP)
#undef TRITONRL_LOOK_UP
  return out;
}

}  // namespace

const Driver& driver() {
  static const Driver functions = load();
  return functions;
}

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  driver().cuGetErrorString_(result, &text);
  throw DriverError(result, std::string(what) + ": " + (text != nullptr ? text : "unknown error") + " (" +
                                std::to_string(static_cast<int>(result)) + ")");
}

bool poisons(CUresult result) {
  switch (result) {
    case CUDA_SUCCESS:
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_NOT_FOUND:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
      return false;
    default:
      return true;
  }
}

}  // namespace tritonrl::runner
