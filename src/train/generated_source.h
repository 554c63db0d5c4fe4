#pragma once

#include <functional>
#include <string>
#include <vector>

#include "teacher/families/generate.h"
#include "text/prompt.h"
#include "train/example_source.h"

namespace tritonrl::train {

// Which pairs the teacher makes, as pre-training wants them.
struct GeneratedOptions : teacher::GenerateOptions {
  std::uint64_t first = 0;  // number of the first pair; those before it are for others
  text::PromptOptions prompt = {.form = text::PromptForm::kShort};

  GeneratedOptions() {
    singles = 3;
    chains = 1;
    styles = teacher::Styles::kReal;
  }
  void fields(base::FieldVisitor& field);
};

// What a model reads and writes of a generated pair, worded as `prepare` words it.
struct WordedPair {
  std::string instruction, output;
};
WordedPair worded(const teacher::GeneratedPair& pair, const text::PromptOptions& options);

// Compositions that are never drawn; empty: none.
using Refused = std::function<bool(const std::string& operator_hash)>;
// The first `count` pairs, for training a tokenizer.
std::vector<WordedPair> first_pairs(const GeneratedOptions& options, const Refused& refused, std::size_t count,
                                    int threads);

// Pairs straight from the generator, without end and without a file between. Every thread has a generator of its own.
class GeneratedSource : public ExampleSource {
 public:
  // `maker` must outlive this.
  GeneratedSource(const GeneratedOptions& options, Refused refused, const ExampleMaker& maker);

  std::unique_ptr<ExampleReader> reader() const override;
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::string name() const override { return "generated"; }
  std::string fingerprint() const override;

 private:
  GeneratedOptions options_;
  Refused refused_;
  const ExampleMaker& maker_;
};

}  // namespace tritonrl::train
