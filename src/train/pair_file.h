#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/example_source.h"

namespace tritonrl::train {

// A file of pairs (record/training_pair.h, a line each), made to tokens when it is opened: what is in it and how many
// steps it gives is known before the first one.
class PairFile : public ExampleSource {
 public:
  // `threads` of them tokenise. UserError names file and line of what is no pair.
  PairFile(const std::filesystem::path& path, const ExampleMaker& maker, int threads);

  std::unique_ptr<ExampleReader> reader() const override;
  std::optional<std::uint64_t> size() const override { return examples_.size(); }
  std::optional<std::int64_t> length(std::uint64_t index) const override { return examples_[index].length(); }
  std::string name() const override { return path_.string(); }
  std::string fingerprint() const override { return sha256_; }

  const std::vector<Example>& examples() const { return examples_; }
  std::int64_t longer_than(std::int64_t tokens) const;
  // Of the first pairs, for checks.
  const std::vector<std::string>& few_instructions() const { return few_instructions_; }

 private:
  std::filesystem::path path_;
  std::vector<Example> examples_;
  std::vector<std::string> few_instructions_;
  std::string sha256_;
};

}  // namespace tritonrl::train
