#include "python/embedded_modules.h"

#include "base/check.h"

namespace tritonrl::python {

std::string_view boot_module() {
  for (const base::EmbeddedFile& file : embedded_modules()) {
    if (file.name == "boot.py") return file.text;
  }
  TRL_CHECK(false, "boot.py is embedded by CMakeLists.txt");
}

}  // namespace tritonrl::python
