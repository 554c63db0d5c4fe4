#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/document.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::report {

// What a report is made of, and how its costs are counted.
struct ReportOptions {
  std::vector<std::filesystem::path> runs;         // folders that training runs wrote
  std::vector<std::filesystem::path> evaluations;  // files that `tritonrl eval` wrote; the first is compared with
  std::string title;
  int gpus = 1;
  double price = 0;

  void fields(base::FieldVisitor& field);  // all but the paths
};

// Reads all of it and says what there is to say. Only what the files hold is in it: a part without material is left
// out. UserError names the file that is missing or damaged.
Document make_report(const ReportOptions& options);

}  // namespace tritonrl::report
