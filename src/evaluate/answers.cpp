#include "evaluate/answers.h"

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/sha256.h"

namespace tritonrl::evaluate {

using base::Json;

Answers::Answers(const std::filesystem::path& path) {
  const std::string all = base::read_file(path);
  hash_ = base::sha256(all);
  std::map<std::pair<std::string, bool>, int> next;
  int number = 0;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string line = all.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto refuse = [&](const std::string& problem) {
      throw base::UserError("evaluate", path.string() + ":" + std::to_string(number) + ": " + problem +
                                            "; a line is {\"id\": task, \"text\": answer}");
    };
    const std::optional<Json> json = Json::try_parse(line);
    if (!json || !json->is_object()) refuse("is no JSON object");
    if (number == 1 && json->contains("options") && !json->contains("id")) {
      as_judged_ = true;
      continue;
    }
    const Json* id = json->find("id");
    const Json* text = json->find("text");
    const Json* index = json->find("index");
    const Json* marked = json->find("greedy");
    if (id == nullptr || !id->is_string()) refuse("has no text \"id\"");
    if (text == nullptr || !text->is_string()) refuse("has no text \"text\"");
    if (index != nullptr && (!index->is_number_unsigned() || index->natural() > 1'000'000))
      refuse("\"index\" is no whole number from 0 on");
    if (marked != nullptr && !marked->is_boolean()) refuse("\"greedy\" is neither true nor false");
    const bool greedy = marked != nullptr && marked->boolean();
    const int sample = index != nullptr ? index->get<int>() : next[{id->text(), greedy}];
    next[{id->text(), greedy}] = sample + 1;
    if (!answers_.emplace(std::tuple(id->text(), greedy, sample), text->text()).second)
      refuse("is sample " + std::to_string(sample) + " of " + id->text() + " for the second time");
    has_greedy_ = has_greedy_ || greedy;
    if (first_id_.empty()) first_id_ = id->text();
  }
  if (answers_.empty()) throw base::UserError("evaluate", path.string() + ": has no answer");
}

Answers::Answers(const std::vector<Given>& given) {
  std::string all;
  for (const Given& one : given) {
    answers_.emplace(std::tuple(one.id, one.greedy, one.index), one.text);
    has_greedy_ = has_greedy_ || one.greedy;
    if (first_id_.empty()) first_id_ = one.id;
    all += one.id + "\n" + std::to_string(one.index) + "\n" + one.text + "\n";
  }
  hash_ = base::sha256(all);
}

const std::string* Answers::find(const std::string& task_id, bool greedy, int index) const {
  const auto found = answers_.find({task_id, greedy, index});
  return found == answers_.end() ? nullptr : &found->second;
}

}  // namespace tritonrl::evaluate
