#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/fields.h"
#include "train/optimizer.h"
#include "train/schedule.h"
#include "train/step_packer.h"

namespace tritonrl::train {

enum class Recompute : std::uint8_t { kAuto, kOn, kOff };
std::span<const char* const> enum_names(Recompute);

// How a stage trains. What the weights at the end depend on is keyed: a run goes on only with the same.
struct TrainOptions {
  std::int64_t steps = 0;  // 0: by epochs
  std::int64_t epochs = 3;
  std::int64_t batch_tokens = 16384;  // a step, of all ranks; rounded up to whole passes
  std::int64_t pass_tokens = 0;       // of one forward pass: what decides the memory. 0: by memory_plan.h, before a run
  std::int64_t longest = 0;           // longest example; longer ones are left out whole. 0: pass_tokens
  Schedule schedule;
  OptimizerOptions optimizer;
  double clip = 1;
  Recompute recompute = Recompute::kAuto;  // by memory_plan.h, before a run; a run that is still told so does not
  std::int64_t loss_chunk = 0;
  std::uint64_t seed = 0;

  int data_threads = 0;        // 0: one a core, at most 16
  std::int64_t log_every = 0;  // steps; 0: every one on a CPU, every tenth on a GPU
  std::int64_t save_every = 0;
  double save_minutes = 5;
  int keep = 2;
  std::filesystem::path mirror;
  std::string spot_notice;  // a file or an address (spot_notice.h)
  double stop_after_minutes = 0;
  double peak_tflops = 0;  // of the device; 0: not known, no MFU is told

  // `of_rounds`: of a stage that trains a little at the end of each of its rounds, which have their own count, their
  // own checkpoints and a line of metrics each.
  void fields(base::FieldVisitor& field, bool of_rounds = false);
  PackingOptions packing() const {
    return {.bins = static_cast<int>((batch_tokens + pass_tokens - 1) / pass_tokens),
            .capacity = pass_tokens,
            .longest_example = longest};
  }
};

// UserError for options that contradict each other.
void check(const TrainOptions& options);

}  // namespace tritonrl::train
