#include <system_error>

#include "hub/cache_folder.h"
#include "hub/hub.h"

namespace tritonrl::hub {

std::optional<std::filesystem::path> cached_snapshot(const Repository& repository, const HubOptions& options,
                                                     std::string* problem) {
  const CacheFolder folder(repository, options);
  const std::optional<std::string> commit = folder.commit(problem);
  if (!commit) return std::nullopt;
  std::error_code ignored;
  const std::filesystem::path snapshot = folder.snapshot(*commit);
  if (std::filesystem::is_directory(snapshot, ignored)) return snapshot;
  if (problem != nullptr) *problem = snapshot.string() + " does not exist";
  return std::nullopt;
}

}  // namespace tritonrl::hub
