// Logits of a model on given tokens, for scripts that hold them against another library's.
//   model_logits_probe MODEL TOKENS.safetensors OUT.safetensors [adapter=FOLDER] [dtype=fp32|bf16|fp16] [device=cuda]
//                      [8bit] [losses]
// TOKENS holds int64 `tokens` (sequences end to end) and `lengths`. OUT gets float32 `logits`, or with `losses` only
// the float32 `log_probabilities` of each sequence's next tokens, and prints the bytes that linear weights take.
#include <ATen/core/grad_mode.h>

#include <iostream>
#include <string>

#include "model/adapter.h"
#include "model/loss.h"
#include "model/stored_tensor.h"
#include "model/transformer.h"
#include "weights/safetensors.h"

using namespace tritonrl;

namespace {

struct Options {
  std::string model, tokens, out, adapter;
  model::ModelOptions load{.dtype = c10::kFloat};
  bool losses = false;
};

Options parse(int argc, char** argv) {
  Options options;
  options.model = argv[1];
  options.tokens = argv[2];
  options.out = argv[3];
  for (int i = 4; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("adapter=")) options.adapter = word.substr(8);
    if (word == "dtype=bf16") options.load.dtype = c10::kBFloat16;
    if (word == "dtype=fp16") options.load.dtype = c10::kHalf;
    if (word == "device=cuda") options.load.device = c10::Device(c10::kCUDA, 0);
    if (word == "8bit") options.load.eight_bit = true;
    if (word == "losses") options.losses = true;
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: model_logits_probe MODEL TOKENS.safetensors OUT.safetensors [adapter=FOLDER] [dtype=bf16] "
                 "[device=cuda] [8bit] [losses]\n";
    return 2;
  }
  const Options options = parse(argc, argv);
  const at::NoGradGuard no_grad;
  const auto files = weights::open_model(weights::find_local_model(options.model).value());
  const auto model = model::Transformer::load(files, options.load);
  if (!options.adapter.empty()) model::load_adapter(*model, options.adapter);
  const auto input = weights::open_safetensors(options.tokens);
  const at::Tensor tokens = model::as_tensor(input->load("tokens"));
  const at::Tensor lengths = model::as_tensor(input->load("lengths"));
  std::vector<std::vector<std::int32_t>> sequences;
  const auto* from = tokens.const_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < lengths.numel(); ++i) {
    const std::int64_t length = lengths.const_data_ptr<std::int64_t>()[i];
    sequences.emplace_back(from, from + length);
    from += length;
  }
  const auto batch = model::PackedBatch::make(sequences, options.load.device);
  const at::Tensor logits = model->logits(model->hidden_states(batch));
  std::vector<weights::TensorToWrite> out;
  if (options.losses) {
    const at::Tensor targets = model::next_labels(batch.tokens, batch);
    out.push_back(model::to_write("log_probabilities", model::target_log_probabilities(logits, targets)));
  } else {
    out.push_back(model::to_write("logits", logits.to(at::kFloat)));
  }
  weights::write_safetensors(options.out, out);
  std::cout << "linear weights " << model->linear_bytes() << " bytes\n";
}
