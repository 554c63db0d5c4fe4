// Prefill and decode of a model on a GPU: tokens a second, and where the time of a step goes.
//   bench_device_decode MODEL [batch=64] [prompt=512] [new=128] [8bit] [device=cpu]
// scripts/measure_device_model.sh runs it beside transformers.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/argmax.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>

#include "bench/kernel_profile.h"
#include "model/decoder.h"
#include "weights/model_files.h"

using namespace tritonrl;
using namespace tritonrl::bench;

namespace {

struct Options {
  std::string model;
  int batch = 64;
  int prompt = 512;
  int new_tokens = 128;
  model::ModelOptions load{.device = c10::Device(c10::kCUDA, 0), .dtype = c10::kBFloat16};
};

Options parse(int argc, char** argv) {
  Options options;
  options.model = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("batch=")) options.batch = std::stoi(word.substr(6));
    if (word.starts_with("prompt=")) options.prompt = std::stoi(word.substr(7));
    if (word.starts_with("new=")) options.new_tokens = std::stoi(word.substr(4));
    if (word == "8bit") options.load.eight_bit = true;
    if (word == "device=cpu") options.load.device = c10::Device(c10::kCPU);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2)
    return std::fprintf(stderr, "usage: bench_device_decode MODEL [batch=64] [prompt=512] [new=128] [8bit]\n"), 2;
  const Options options = parse(argc, argv);
  const at::NoGradGuard no_grad;
  auto start = std::chrono::steady_clock::now();
  const auto files = weights::open_model(weights::find_local_model(options.model).value());
  const auto model = model::Transformer::load(files, options.load);
  wait_for(options.load.device);
  std::printf("%.2f G parameters loaded in %.1f s, linear weights %.2f GB\n",
              static_cast<double>(model->config().parameters()) / 1e9, seconds_since(start),
              static_cast<double>(model->linear_bytes()) / 1e9);

  std::mt19937 engine(1);
  std::vector<std::vector<std::int32_t>> prompts(static_cast<std::size_t>(options.batch));
  std::vector<int> slots(prompts.size());
  std::iota(slots.begin(), slots.end(), 0);
  for (auto& prompt : prompts) {
    for (int i = 0; i < options.prompt; ++i) prompt.push_back(static_cast<std::int32_t>(engine() % 10000));
  }
  constexpr int kProfiled = 8;
  model::Decoder decoder(*model,
                         {.slots = options.batch, .capacity = options.prompt + options.new_tokens + kProfiled + 8});
  const auto prefill = [&] {
    at::Tensor next;
    // a part of the batch at a time: activations of all prompts at once would not fit beside the cache
    for (std::size_t first = 0; first < prompts.size(); first += 16) {
      std::vector<model::Decoder::Prompt> requests;
      for (std::size_t i = first; i < std::min(prompts.size(), first + 16); ++i) {
        requests.push_back({static_cast<int>(i), prompts[i]});
      }
      next = decoder.prefill(requests);
    }
    return next.argmax(-1);
  };
  prefill();  // warm
  for (const int slot : slots) decoder.release(slot);
  wait_for(options.load.device);
  start = std::chrono::steady_clock::now();
  at::Tensor next = prefill();
  wait_for(options.load.device);
  const double prefill_seconds = seconds_since(start);
  std::printf("prefill: %.0f tokens/s (%d prompts of %d, %.3f s)\n", options.batch * options.prompt / prefill_seconds,
              options.batch, options.prompt, prefill_seconds);

  next = next[0].expand({options.batch}).contiguous();
  for (int i = 0; i < 8; ++i) next = decoder.step(next, slots).argmax(-1);  // warm
  wait_for(options.load.device);
  start = std::chrono::steady_clock::now();
  for (int i = 0; i < options.new_tokens - 8; ++i) next = decoder.step(next, slots).argmax(-1);
  wait_for(options.load.device);
  const double decode_seconds = seconds_since(start);
  const int steps = options.new_tokens - 8;
  std::printf("decode: %.0f tokens/s (%d steps, %.2f ms each)\n", options.batch * steps / decode_seconds, steps,
              decode_seconds * 1e3 / steps);
  profile(
      [&] {
        for (int i = 0; i < kProfiled; ++i) next = decoder.step(next, slots).argmax(-1);
        wait_for(options.load.device);
      },
      kProfiled);
}
