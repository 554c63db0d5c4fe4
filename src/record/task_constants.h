#pragma once

#include <map>
#include <string>

namespace tritonrl::record {

// The source with the values of its module-level constants (`NAME = value`, alone on a line) replaced: a task at
// another size. UserError for a name that is no such constant.
std::string with_constants(const std::string& source, const std::map<std::string, std::string>& constants);

}  // namespace tritonrl::record
