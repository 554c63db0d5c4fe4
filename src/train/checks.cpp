#include "train/checks.h"

#include <ATen/ops/equal.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "weights/model_files.h"

namespace tritonrl::train {
namespace {

[[noreturn]] void stop(const std::string& message) {
  throw base::UserError("train", message);
}

}  // namespace

void require_trainable(const PairFile& file, const PackingOptions& packing, text::TokenId end_of_turn) {
  std::int64_t labelled = 0, ends = 0, shortest = -1;
  for (const Example& example : file.examples()) {
    if (shortest < 0 || example.length() < shortest) shortest = example.length();
    if (example.length() > packing.limit()) continue;
    labelled += example.labelled();
    ends += std::count(example.tokens.begin() + example.prompt, example.tokens.end(), end_of_turn);
  }
  if (file.examples().empty()) stop(file.name() + " holds no pair; `tritonrl prepare` makes some");
  if (labelled == 0)
    stop("no token would be trained: all " + std::to_string(file.examples().size()) + " pairs of " + file.name() +
         " are longer than " + std::to_string(packing.limit()) + " tokens, the shortest has " +
         std::to_string(shortest) + "; raise --longest and --pass-tokens");
  if (ends == 0)
    stop("the end of a turn is never trained in " + file.name() +
         ": the model would not learn to stop; check its tokenizer's " + "chat template and end-of-text token");
}

void require_labels(const StepData& data, std::int64_t step) {
  if (data.labelled > 0) return;
  stop("step " + std::to_string(step) + " has no labelled token: its " + std::to_string(data.examples) +
       " examples are all prompt; check that the pairs' outputs are not empty");
}

void require_end_labels(const StepData& data, const ExampleMaker& maker) {
  if (data.end_labels > 0) return;
  stop("the end of a turn (" + std::string(maker.text().tokenizer.bytes_of(maker.end_of_turn())) +
       ") is never a label: the model would not learn to stop; check the tokenizer's chat template and that answers "
       "are not cut");
}

void require_same_prompts(const ExampleMaker& maker, std::span<const std::string> instructions,
                          const std::filesystem::path& tokenizer) {
  const text::ModelText sampler = weights::open_tokenizer({weights::ModelLocation::Kind::kFolder, tokenizer});
  for (const std::string& instruction : instructions) {
    const Example example = maker.make(instruction, "");
    const std::vector<text::TokenId> asked = text::ask(sampler, instruction, maker.ask()).tokens;
    if (static_cast<std::int64_t>(asked.size()) == example.prompt &&
        std::equal(asked.begin(), asked.end(), example.tokens.begin()))
      continue;
    stop("a sampler with the tokenizer in " + tokenizer.string() + " gives a prompt of " +
         std::to_string(asked.size()) + " tokens where " + std::to_string(example.prompt) +
         " others were trained on: files of two tokenizers are mixed there; remove the folder and start anew");
  }
}

void require_finite(double loss, double gradient_norm, std::int64_t step) {
  if (std::isfinite(loss) && std::isfinite(gradient_norm)) return;
  stop("step " + std::to_string(step) + " has a loss of " + std::to_string(loss) + " and a gradient norm of " +
       std::to_string(gradient_norm) +
       "; nothing after the last checkpoint is kept. Lower --learning-rate, raise --warmup, set --clip 1, or train in "
       "fp32 or bf16 instead of fp16");
}

void require_changed(const at::Tensor& before, const at::Tensor& after, double learning_rate) {
  if (!at::equal(before, after)) return;
  stop("the first step changed no parameter at a learning rate of " + std::to_string(learning_rate) +
       "; raise --learning-rate, or check that the adapter's target modules take part in the forward pass");
}

void require_steps_left(const TrainingState& state, const std::filesystem::path& final_folder) {
  if (state.step < state.steps) return;
  stop(
      "all " + std::to_string(state.steps) + " steps of this run are done and " + final_folder.string() +
      " is written: there is nothing to train; train anew with --fresh, or name other folders (--name, --checkpoints)");
}

void require_same_run(const TrainingState& state, const std::string& options) {
  if (state.options == options) return;
  // the first place where the two keys differ tells the option
  const auto [a, b] = std::mismatch(state.options.begin(), state.options.end(), options.begin(), options.end());
  const auto around = [](const std::string& text, std::size_t at) {
    const std::size_t begin = text.find_last_of(",{", at == 0 ? 0 : at - 1);
    return text.substr(begin == std::string::npos ? 0 : begin + 1, 60);
  };
  const auto at = static_cast<std::size_t>(a - state.options.begin());
  static_cast<void>(b);
  stop("the checkpoint was made with other options or data (then: " + around(state.options, at) +
       " …; now: " + around(options, at) +
       " …): a run goes on only as it began; give what was given then, or start anew with --fresh");
}

}  // namespace tritonrl::train
