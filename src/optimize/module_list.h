#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/fields.h"
#include "optimize/subject.h"

namespace tritonrl::optimize {

// A module of a list, by a name of its own.
struct ListedModule {
  std::string id;
  SubjectRequest request;

  void fields(base::FieldVisitor& field) {
    field("id", id);
    field("module", request.place);
    field("input", request.inputs, base::kMayLack);
    field("init", request.init, base::kMayLack);
    field("eval", request.eval, base::kMayLack);
  }
};

// Of a folder its Python files, by their names; of a file of JSON lines {"id", "module", "input", "init", "eval"}, what
// `optimize` takes as options, modules relative to the file or to the working directory. UserError names the line that
// is none, or an id that comes twice or cannot be the name of a file.
std::vector<ListedModule> read_modules(const std::filesystem::path& path);

}  // namespace tritonrl::optimize
