// How fast pairs of the generator become packed batches, everything included: module, solution, tokens, packing.
// Pre-training on a GPU wants 1.2 million tokens a second.
//   bench_training_data_speed [STEPS] [THREADS]

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "peer_run.h"
#include "text/tokenizer/bpe_trainer.h"
#include "train/data_stream.h"
#include "train/generated_source.h"

using namespace tritonrl;

namespace {

constexpr std::int64_t kStepTokens = 32768;
constexpr double kWanted = 1.2e6;

text::ModelText tokenizer_of(const train::GeneratedOptions& options) {
  text::BpeTrainer trainer(
      {.vocab_size = 4096, .special_tokens = {"<|endoftext|>", "<|im_start|>", std::string(text::kTurnEnd)}});
  for (const train::WordedPair& pair : train::first_pairs(options, nullptr, 2000, 1)) {
    trainer.add(pair.instruction);
    trainer.add(pair.output);
  }
  return {.tokenizer = text::Tokenizer::from_parts(trainer.train(), "bench"),
          .dialect = text::ChatDialect::kPlainChatMl,
          .chat_template = text::chat_template_jinja(text::ChatDialect::kPlainChatMl)};
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 100, threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const train::GeneratedOptions options;
  const train::ExampleMaker maker(tokenizer_of(options), {});
  const auto source = std::make_shared<train::GeneratedSource>(options, nullptr, maker);
  train::DataStream stream({{source, 1}}, {.packing = {.bins = 1, .capacity = kStepTokens, .longest_example = 4096},
                                           .threads = threads,
                                           .end_of_turn = maker.end_of_turn()});
  stream.next();  // tables are read
  const double before = bench::processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  std::int64_t tokens = 0, examples = 0, labelled = 0, left_out = 0;
  for (int i = 0; i < steps; ++i) {
    const train::StepData data = *stream.next();
    tokens += data.tokens;
    examples += data.examples;
    labelled += data.labelled;
    left_out = data.after.left_out;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double a_core = static_cast<double>(tokens) / (bench::processor_seconds() - before);
  std::printf(
      "%.0f tokens an example, %.0f %% of them labelled; %.1f %% of a pass is filled, %.2f %% of examples are too "
      "long\n",
      static_cast<double>(tokens) / static_cast<double>(examples), 100.0 * labelled / tokens,
      100.0 * tokens / (kStepTokens * steps), 100.0 * left_out / (left_out + examples));
  std::printf("%.0f tokens a second with %d threads, %.0f a core: %.1f cores for %.1f million a second\n",
              tokens / seconds, threads, a_core, kWanted / a_core, kWanted / 1e6);
}
