#pragma once

#include <filesystem>
#include <string>

#include "record/task.h"

namespace tritonrl::serve {

// The tasks that requests may name: regular files below one folder.
class TaskFolder {
 public:
  // Empty: none may be named. UserError if there is no such folder.
  explicit TaskFolder(const std::string& folder);

  // UserError, which tells nothing of what else is on this machine, for all that is no file below the folder: where
  // links lead counts.
  record::Task read(const std::string& name) const;

  bool empty() const { return folder_.empty(); }

 private:
  std::filesystem::path folder_;  // without links
};

}  // namespace tritonrl::serve
