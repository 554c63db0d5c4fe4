#include "python/embedded_modules.h"

#include "base/check.h"
#include "base/json.h"

namespace tritonrl::python {

std::string_view boot_module() {
  for (const base::EmbeddedFile& file : embedded_modules()) {
    if (file.name == "boot.py") return file.text;
  }
  TRL_CHECK(false, "boot.py is embedded by CMakeLists.txt");
}

std::string boot_text(const std::string& service, std::string_view options, const std::string& library) {
  base::Json modules = base::Json::object();
  for (const base::EmbeddedFile& file : embedded_modules()) modules[file.name] = file.text;
  return base::Json{{"modules", std::move(modules)},
                    {"service", service},
                    {"library", library},
                    {"options", base::Json::parse(options)}}
      .dump();
}

}  // namespace tritonrl::python
