#include "record/task_constants.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "base/check.h"
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

std::string with_integers(const std::string& source, std::span<const std::pair<TaskSpan, std::int64_t>> integers) {
  std::vector<std::pair<TaskSpan, std::int64_t>> ordered(integers.begin(), integers.end());
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
  std::string out;
  std::size_t at = 0;
  for (const auto& [span, value] : ordered) {
    TRL_CHECK(at <= span.begin && span.begin < span.end && span.end <= source.size(),
              "spans lie in the source and do not overlap");
    out.append(source, at, span.begin - at);
    // in brackets, a negative value stays one operand: `-2 ** 2` is -4
    out += value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
    at = span.end;
  }
  return out.append(source, at);
}

std::string with_other_numbers(const std::string& source) {
  return source + R"(

def _with_other_numbers(make):
    def other(value):
        if type(value) is float:
            return value if value % 1 == 0 or value * 0 != 0 else 0.75 * value
        if type(value) in (list, tuple):
            return type(value)([other(one) for one in value])
        return {key: other(one) for key, one in value.items()} if type(value) is dict else value

    return lambda: other(make())


get_inputs = _with_other_numbers(get_inputs)
)";
}

}  // namespace tritonrl::record
