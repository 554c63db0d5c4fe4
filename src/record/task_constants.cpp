#include "record/task_constants.h"

#include <set>
#include <sstream>

#include "base/error.h"

namespace tritonrl::record {

std::string with_constants(const std::string& source, const std::map<std::string, std::string>& constants) {
  std::istringstream in(source);
  std::ostringstream out;
  std::set<std::string> replaced;
  for (std::string line; std::getline(in, line);) {
    const std::size_t equals = line.find('=');
    std::string name = equals == std::string::npos ? "" : line.substr(0, equals);
    name.erase(name.find_last_not_of(' ') + 1);
    const auto found = constants.find(name.substr(0, name.find(':')));  // `NAME: int = 3` too
    if (found == constants.end() || line.compare(equals, 2, "==") == 0) {
      out << line << "\n";
    } else {
      replaced.insert(found->first);
      out << name << " = " << found->second << "\n";
    }
  }
  for (const auto& [name, value] : constants) {
    if (!replaced.contains(name)) {
      throw base::UserError("task", "there is no constant " + name + " to set to " + value +
                                        "; sizes are lines such as `" + name + " = 128` at the start of a line");
    }
  }
  return out.str();
}

}  // namespace tritonrl::record
