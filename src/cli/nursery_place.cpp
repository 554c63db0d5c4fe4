#include "cli/nursery_place.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "base/local_socket.h"
#include "sandbox/nursery.h"

namespace tritonrl::cli {

namespace fs = std::filesystem;

fs::path nursery_path() {
  const char* given = std::getenv(sandbox::kNurseryVariable);
  return given != nullptr && *given != '\0' ? fs::path(given) : base::private_folder("warm") / "nursery";
}

void look_for_nursery() {
  if (std::getenv(sandbox::kNurseryVariable) != nullptr) return;  // empty: none is wanted
  try {
    const std::string path = nursery_path().string();
    if (access(path.c_str(), W_OK) == 0) setenv(sandbox::kNurseryVariable, path.c_str(), 0);
  } catch (const base::UserError&) {  // no place that is ours alone, so no nursery
  }
}

}  // namespace tritonrl::cli
