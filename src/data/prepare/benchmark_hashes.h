#pragma once

#include <filesystem>
#include <string>
#include <unordered_set>

namespace tritonrl::data {

// Compositions of benchmark tasks, as hashes (difficulty.h: operator_hash) of their texts and of their recorded
// programs: what must not be trained on. One hash a line, '#' begins a comment.
class BenchmarkHashes {
 public:
  BenchmarkHashes() = default;
  // Those of KernelBench that came with the program; made by `tritonrl prepare CHECKOUT --write-hashes`.
  static BenchmarkHashes built_in();
  // UserError naming file and line if it has another form.
  void add_file(const std::filesystem::path& file);

  bool contains(const std::string& hash) const { return !hash.empty() && hashes_.contains(hash); }
  std::size_t size() const { return hashes_.size(); }

 private:
  void add(const std::string& text, const std::string& name);
  std::unordered_set<std::string> hashes_;
};

}  // namespace tritonrl::data
