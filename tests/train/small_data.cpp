#include "tests/train/small_data.h"

#include <ATen/Parallel.h>

#include <random>

#include "text/tokenizer/bpe_trainer.h"

namespace tritonrl::train {
namespace {

class FewReader : public ExampleReader {
 public:
  explicit FewReader(const FewExamples& source) : source_(source) {}
  Example example(std::uint64_t index) override { return source_.examples()[index]; }

 private:
  const FewExamples& source_;
};

}  // namespace

void few_threads() {
  at::set_num_threads(1);
}

std::vector<Example> random_examples(std::size_t count, std::uint64_t seed, std::int64_t shortest,
                                     std::int64_t longest) {
  std::mt19937_64 engine(seed);
  std::vector<Example> examples(count);
  for (Example& example : examples) {
    const auto length =
        shortest + static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(longest - shortest + 1));
    for (std::int64_t i = 0; i < length; ++i) example.tokens.push_back(static_cast<std::int32_t>(3 + engine() % 197));
    example.tokens.back() = 2;  // byte_text()'s end of a turn
    example.prompt = std::max<std::int64_t>(1, length / 3);
  }
  return examples;
}

MicroBatch batch_of(const std::vector<Example>& examples) {
  std::vector<const Example*> pointers;
  for (const Example& example : examples) pointers.push_back(&example);
  return make_micro_batch(pointers);
}

std::unique_ptr<ExampleReader> FewExamples::reader() const {
  return std::make_unique<FewReader>(*this);
}

text::ModelText byte_text() {
  const std::vector<std::string> texts = {"a"};
  text::TokenizerParts parts =
      text::train_bpe(texts, {.vocab_size = 259, .special_tokens = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}});
  return {.tokenizer = text::Tokenizer::from_parts(std::move(parts), "test"),
          .dialect = text::ChatDialect::kPlainChatMl,
          .chat_template = text::chat_template_jinja(text::ChatDialect::kPlainChatMl)};
}

}  // namespace tritonrl::train
