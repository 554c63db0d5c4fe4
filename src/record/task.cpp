#include "record/task.h"

#include "base/error.h"
#include "base/files.h"

namespace tritonrl::record {

Task read_task(const std::filesystem::path& path) {
  Task task{.id = path.filename().string(), .source = base::read_file(path, std::size_t{16} << 20), .entry_point = {}};
  if (task.source.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw base::UserError("task",
                          path.string() + ": is empty; a task defines Model, get_inputs() and get_init_inputs()");
  }
  return task;
}

}  // namespace tritonrl::record
