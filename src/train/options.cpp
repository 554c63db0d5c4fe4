#include "train/options.h"

#include "base/error.h"

namespace tritonrl::train {

std::span<const char* const> enum_names(Recompute) {
  static constexpr const char* kNames[] = {"auto", "on", "off"};
  return kNames;
}

void TrainOptions::fields(base::FieldVisitor& field, bool of_rounds) {
  if (!of_rounds) field("steps", steps, {.help = "of training; 0: as many as the epochs give", .least = 0});
  field("epochs", epochs,
        {.help = of_rounds ? "passes over what a round gives to learn from"
                           : "how often each pair is used, where --steps is 0",
         .least = 1});
  field("batch_tokens", batch_tokens, {.help = "tokens a step, rounded up to whole passes", .least = 1});
  field("pass_tokens", pass_tokens,
        {.help = "tokens of one forward pass, which decide the memory; a step has several passes where it has more. 0: "
                 "as many sequences as fit",
         .least = 0});
  field("longest", longest,
        {.help = "longest example in tokens; longer ones are left out whole. 0: --pass-tokens, or 8192 where that is 0",
         .least = 0});
  schedule.fields(field);
  optimizer.fields(field);
  field("clip", clip, {.help = "largest norm of the gradients; 0: any", .least = 0});
  field("recompute", recompute,
        {.help = "compute the activations of blocks again instead of keeping them: less memory, a third more time; "
                 "auto: if they would not fit"});
  field("loss_chunk", loss_chunk,
        {.help = "rows of logits that exist at once; 0: as many as take 256 MiB", .least = 0});
  field("seed", seed, {.help = "of order, dropout and fresh weights"});
  if (!of_rounds) {
    field("data_threads", data_threads,
          {.help = "threads that make examples; 0: one a core, at most 16", .least = 0, .most = 1024, .keyed = false});
    field(
        "log_every", log_every,
        {.help = "steps between two lines; 0: every step on a CPU, every tenth on a GPU", .least = 0, .keyed = false});
    field("save_every", save_every,
          {.help = "steps between two checkpoints; 0: by time alone", .least = 0, .keyed = false});
    field("save_minutes", save_minutes,
          {.help = "minutes between two checkpoints; 0: by steps alone", .least = 0, .keyed = false});
  }
  field("keep", keep, {.help = "newest checkpoints that are kept", .least = 1, .keyed = false});
  field("mirror", mirror, {.help = "second folder that gets a copy of every checkpoint", .keyed = false});
  field("spot_notice", spot_notice,
        {.help = "file that appears, or address (http://…) that answers 200 instead of 404, when this machine will be "
                 "taken away: save and stop then",
         .keyed = false});
  field("stop_after_minutes", stop_after_minutes,
        {.help = "save and stop after this time, to go on later; 0: never", .least = 0, .keyed = false});
  if (!of_rounds) {
    field("peak_tflops", peak_tflops,
          {.help = "of the device in the model's type, for MFU; 0: by the GPU's name, where we know it",
           .least = 0,
           .keyed = false});
  }
}

void check(const TrainOptions& options) {
  if (options.longest > options.pass_tokens)
    throw base::UserError("train", "--longest " + std::to_string(options.longest) +
                                       " does not fit into a pass of --pass-tokens " +
                                       std::to_string(options.pass_tokens) + "; raise --pass-tokens");
}

}  // namespace tritonrl::train
