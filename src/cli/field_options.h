#pragma once

#include <string>

#include "base/fields.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// An option for each settable field of a list (base/fields.h), also of the structs inside it: `--timing-num-trials` or
// `--timing_num_trials` for `timing_num_trials`, with the help, default, choices and range that the list gives. A truth
// that is false by default is a flag; a list takes its texts one by one or with commas between them. The same names
// hold in the file of --config. `options` must outlive the parse.
template <base::HasFields T>
void declare_fields(CLI::App& command, T& options, const std::string& group = "Options") {
  void declare_visited(CLI::App&, void*, void (*)(void*, base::FieldVisitor&), const std::string&);
  declare_visited(command, &options, base::fields_detail::visit_struct<T>, group);
}

}  // namespace tritonrl::cli
