#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tritonrl::evaluate {

// Answers that were written elsewhere: JSON lines {"id", "text"}, the k-th line of an id being sample k unless it says
// "index"; "greedy": true is the answer at temperature 0. The output of `generate --json` and the log of `eval` are
// such files, too.
class Answers {
 public:
  // UserError names the file and line that is no answer, or a sample that comes twice.
  explicit Answers(const std::filesystem::path& path);

  struct Given {
    std::string id, text;
    bool greedy = false;
    int index = 0;
  };
  // Those that somebody made here, each sample of a task once.
  explicit Answers(const std::vector<Given>& given);

  // null: the file has none.
  const std::string* find(const std::string& task_id, bool greedy, int index) const;

  bool has(const std::string& task_id) const {
    return find(task_id, false, 0) != nullptr || find(task_id, true, 0) != nullptr;
  }
  const std::string& first_id() const { return first_id_; }
  bool has_greedy() const { return has_greedy_; }
  // Whether they are those of eval's own log: made whole already, as they were judged.
  bool as_judged() const { return as_judged_; }
  const std::string& hash() const { return hash_; }  // of the file

 private:
  std::map<std::tuple<std::string, bool, int>, std::string> answers_;  // by task, greedy, sample
  std::string first_id_, hash_;
  bool has_greedy_ = false, as_judged_ = false;
};

}  // namespace tritonrl::evaluate
