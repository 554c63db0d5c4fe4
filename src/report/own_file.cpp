#include "report/own_file.h"

#include <algorithm>
#include <span>

#include "base/check.h"
#include "base/embedded_file.h"

namespace tritonrl::report {

std::span<const base::EmbeddedFile> embedded_files();  // of CMakeLists.txt

std::string_view own_file(std::string_view name) {
  const auto files = embedded_files();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const base::EmbeddedFile& file) { return file.name == name; });
  TRL_CHECK(found != files.end(), "a file that is embedded");
  return found->text;
}

}  // namespace tritonrl::report
