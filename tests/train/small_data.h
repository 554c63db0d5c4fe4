#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "train/example_source.h"
#include "train/micro_batch.h"
#include "weights/model_config.h"

namespace tritonrl::train {

// Models this small gain nothing from threads, and on a busy machine those wait for one another.
void few_threads();

// Examples of random tokens below 200, a third of each a prompt; the last token of each is 2.
std::vector<Example> random_examples(std::size_t count, std::uint64_t seed, std::int64_t shortest = 5,
                                     std::int64_t longest = 40);
MicroBatch batch_of(const std::vector<Example>& examples);

// Examples in memory.
class FewExamples : public ExampleSource {
 public:
  explicit FewExamples(std::vector<Example> examples) : examples_(std::move(examples)) {}
  std::unique_ptr<ExampleReader> reader() const override;
  std::optional<std::uint64_t> size() const override { return examples_.size(); }
  std::optional<std::int64_t> length(std::uint64_t index) const override { return examples_[index].length(); }
  std::string name() const override { return "few"; }
  std::string fingerprint() const override { return "few"; }
  const std::vector<Example>& examples() const { return examples_; }

 private:
  std::vector<Example> examples_;
};

// A byte-level tokenizer without merges, with the marks of a chat.
text::ModelText byte_text();

}  // namespace tritonrl::train
