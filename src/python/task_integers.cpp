#include "python/task_integers.h"

#include "base/error.h"
#include "base/json.h"

namespace tritonrl::python {
namespace {

using base::Json;

bool is_literal(const std::string& source, std::size_t begin, std::size_t end) {
  if (begin >= end || end > source.size() || source[begin] < '0' || source[begin] > '9') return false;
  return source.find_first_not_of("0123456789abcdefABCDEFoxOX_", begin) >= end;
}

std::vector<TaskInteger> read_rows(const Json& rows, const std::string& source) {
  std::vector<TaskInteger> out;
  std::size_t last = 0;
  for (const Json& row : rows.elements()) {
    TaskInteger one{.value = row.at(0).get<std::int64_t>(),
                    .begin = row.at(1).get<std::size_t>(),
                    .end = row.at(2).get<std::size_t>(),
                    .name = row.at(3).get<std::string>(),
                    .line = row.at(4).get<int>()};
    if (one.begin < last || !is_literal(source, one.begin, one.end)) {
      throw base::InfrastructureError("recorder", "an integer of a task is not where the parser says");
    }
    last = one.end;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::vector<TaskInteger> task_integers_from_reply(const std::string& reply, const record::Task& task) {
  try {
    const Json json = Json::parse(reply);
    if (json.at("kind") == "integers") return read_rows(json.at("integers"), task.source);
    throw base::UserError("task", task.id + ":" + std::to_string(json.at("line").get<int>()) + ": " +
                                      json.at("message").get<std::string>() + "; the task must be Python that parses");
  } catch (const base::JsonError& error) {
    throw base::InfrastructureError("recorder", std::string("the answer about a task's integers: ") + error.what());
  }
}

}  // namespace tritonrl::python
