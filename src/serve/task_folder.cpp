#include "serve/task_folder.h"

#include <algorithm>

#include "base/error.h"

namespace tritonrl::serve {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end() && rest != path.end();
}

}  // namespace

TaskFolder::TaskFolder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code unreachable;
  folder_ = fs::canonical(folder, unreachable);
  if (unreachable || !fs::is_directory(folder_, unreachable))
    throw base::UserError("serve", "--tasks " + folder + ": is no folder that can be read");
}

record::Task TaskFolder::read(const std::string& name) const {
  if (empty())
    throw base::UserError("task", "a name is no task here: send its source (the server was started without --tasks)");
  const base::UserError none("task", "there is no such file in the server's folder of tasks; or send its source");
  if (name.find('\0') != std::string::npos) throw none;
  std::error_code unreachable;
  const fs::path path = fs::canonical(folder_ / name, unreachable);
  if (unreachable || !is_below(path, folder_) || !fs::is_regular_file(path, unreachable)) throw none;
  return record::read_task(path);
}

}  // namespace tritonrl::serve
