#include "tests/python/corpus.h"

#include "base/files.h"
#include "base/json.h"
#include "tests/paths.h"

namespace tritonrl::python {
namespace {

using base::Json;

CorpusPair read_pair(const std::string& name, const Json& row, const std::string& task, const std::string& candidate) {
  CorpusPair pair;
  pair.name = name;
  pair.task_file = task;
  pair.candidate_file = candidate;
  pair.task = base::read_file(source_path(task));
  pair.candidate = base::read_file(source_path(candidate));
  pair.subject = row.value("candidate", "ModelNew");
  for (const auto& [constant, value] : row["small"].items()) pair.small[constant] = value.dump();
  pair.init_launches = row.value("init_launches", std::vector<std::string>{});
  pair.launches = row["launches"].get<std::vector<std::string>>();
  if (row.contains("questions")) {
    pair.questions =
        row["questions"].is_number() ? row["questions"].get<int>() : static_cast<int>(row["questions"].size());
  }
  return pair;
}

}  // namespace

std::vector<CorpusPair> read_corpus() {
  std::vector<CorpusPair> out;
  const std::string folder = "tests/python/corpus/";
  const Json pairs = Json::parse(base::read_file(source_path(folder + "corpus.json"))).sorted();
  for (const auto& [name, row] : pairs.items()) {
    out.push_back(read_pair(name, row, folder + name + ".task.py", folder + name + ".candidate.py"));
  }
  const Json examples = Json::parse(base::read_file(source_path(folder + "examples.json"))).sorted();
  for (const auto& [name, row] : examples.items()) {
    out.push_back(read_pair(name, row, "examples/tasks/" + name + ".py", "examples/kernels/" + name + ".py"));
  }
  return out;
}

}  // namespace tritonrl::python
