#include "data/rows/parquet_rows.h"

#include <dlfcn.h>

#include "base/error.h"
#include "data/rows/arrow_rows.h"

namespace tritonrl::data {
namespace {

struct Library {
  const ArrowRows* rows = nullptr;
  std::string error;  // where it could not be loaded
};

// Looked for beside the program, by the path that the linker left in it. Never unloaded: readers hold code of it.
Library load() {
  void* const handle = ::dlopen("libtritonrl_parquet.so", RTLD_NOW | RTLD_LOCAL);
  void* const function = handle == nullptr ? nullptr : ::dlsym(handle, kArrowRowsFunction);
  if (function == nullptr) {
    const char* const error = ::dlerror();
    return {.rows = nullptr, .error = error == nullptr ? "no reason is known" : error};
  }
  return {.rows = reinterpret_cast<ArrowRowsFunction*>(function)(), .error = {}};
}

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

const ArrowRows& arrow_for(const std::string& name) {
  if (library().rows == nullptr) {
    throw base::UserError("data", name + " is a parquet file, and Arrow, which reads those, cannot be loaded (" +
                                      library().error +
                                      "); install the pyarrow with which this program was built, or build it again, or "
                                      "use the JSON form of the file");
  }
  return *library().rows;
}

}  // namespace

bool reads_parquet() {
  return library().rows != nullptr;
}

std::unique_ptr<RowReader> parquet_rows(const std::filesystem::path& path, const RowOptions& options) {
  return arrow_for(path.string()).open(path, options);
}

std::unique_ptr<RowReader> parquet_rows_in_memory(std::string_view bytes, const std::string& name,
                                                  const RowOptions& options) {
  return arrow_for(name).in_memory(bytes, name, options);
}

}  // namespace tritonrl::data
