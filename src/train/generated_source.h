#pragma once

#include <functional>
#include <string>
#include <vector>

#include "teacher/families/generate.h"
#include "text/prompt.h"
#include "train/example_source.h"

namespace tritonrl::train {

// Which pairs the teacher makes.
struct GeneratedOptions {
  std::uint64_t seed = 0;
  double fusions = 3, singles = 1, rewrites = 6, chains = 1;  // weights of the families of modules
  double strict = 0.3;                                        // share of pairs under policy strict
  double fast = 0;                                            // share of fast variants
  bool rename = false;                                        // names are drawn once more, over the whole file
  bool lone_operators = false;                                // single operators of benchmarks too, at other sizes
  std::string plan = "nested";                                // or "lines": a line an operator
  std::uint64_t first = 0;  // number of the first pair; those before it are for others
  text::PromptOptions prompt = {.form = text::PromptForm::kShort};

  void fields(base::FieldVisitor& field);
};

// What a model reads and writes of a generated pair, worded as `prepare` words it.
struct WordedPair {
  std::string instruction, output;
};
WordedPair worded(const teacher::GeneratedPair& pair, const text::PromptOptions& options);

// Compositions that are never drawn; empty: none.
using Refused = std::function<bool(const std::string& operator_hash)>;
teacher::GenerateOptions generate_options(const GeneratedOptions& options, Refused refused);

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
