#include "train/loop.h"

#include <ATen/ops/stack.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/hash64.h"
#include "track/progress_line.h"
#include "train/checkpoint_writer.h"
#include "train/checks.h"
#include "train/data_stream.h"
#include "train/device_memory.h"
#include "train/model_flops.h"
#include "train/run_files.h"
#include "train/spot_notice.h"
#include "train/step.h"

namespace tritonrl::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLogSeconds = 30;  // between two lines of training.log that say where the run stands

double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

int data_threads(const TrainOptions& options) {
  if (options.data_threads > 0) return options.data_threads;
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 16U));
}

double pass_flops(const Stage& stage, const std::vector<MicroBatch>& batches) {
  double flops = 0;
  for (const MicroBatch& each : batches) {
    PassSize size{.tokens = each.total(), .labelled = each.labelled()};
    for (const std::int64_t length : each.batch.lengths) size.squares += length * length;
    flops += training_flops(stage.model.config(), stage.adapter, size);
  }
  return flops;
}

// One run of a stage.
class Loop {
 public:
  explicit Loop(const Stage& stage);
  StageOutcome run();
  void log_failure(const std::string& why) {
    if (files_) files_->log("failed: " + why);
  }

 private:
  // What a step did, as far as the host knows; the rest is read later.
  struct Pending {
    std::int64_t step = 0, tokens = 0, labelled = 0, examples = 0, left_out = 0;
    double learning_rate = 0;
    double flops = 0;  // of this rank
    StepOutcome outcome;
  };

  TrainedModel trained() const { return {stage_.model, stage_.adapter, stage_.tokenizer}; }
  void open_files();
  void one_step(const StepData& data);
  void flush(bool last);
  bool save_is_due() const;
  void save();
  std::string reason_to_stop() const;
  void finish();
  void say(const std::string& line);

  const Stage& stage_;
  const TrainOptions& options_;
  FlatParameters parameters_;
  Optimizer optimizer_;
  TrainingStep step_;
  CheckpointWriter writer_;
  TrainingState state_;
  std::optional<RunFiles> files_;  // the first rank's
  std::optional<SpotNotice> notice_;
  record::RunManifest manifest_;
  std::optional<track::ProgressLine> progress_;  // the first rank's
  std::vector<Pending> pending_;
  std::int64_t log_every_;
  std::int64_t saved_step_ = -1, first_step_ = 0;
  Clock::time_point started_ = Clock::now(), flushed_ = started_, saved_ = started_, logged_;
  double seconds_before_ = 0;
};

Loop::Loop(const Stage& stage)
    : stage_(stage),
      options_(stage.options),
      parameters_(trained_parameters(stage.model)),
      optimizer_(parameters_, options_.optimizer),
      step_(stage.model, parameters_, optimizer_, stage.communicator,
            {.clip = options_.clip,
             .recompute = options_.recompute == Recompute::kOn,
             .loss_chunk = options_.loss_chunk}),
      writer_(
          stage.checkpoints, stage.name,
          {.keep = options_.keep, .mirror = options_.mirror, .say = [this](const std::string& line) { say(line); }}),
      manifest_(stage.manifest),
      log_every_(options_.log_every > 0                  ? options_.log_every
                 : stage.model.options().device.is_cpu() ? 1
                                                         : 10) {
  const std::string key = run_key(options_, stage.sources, stage.model, stage.adapter, stage.steps);
  if (stage.from) {
    state_ = read_state(*stage.from);
    require_same_run(state_, key);
    read_optimizer(*stage.from, optimizer_, state_.step);
  }
  state_.options = key;
  state_.seed = options_.seed;
  state_.steps = stage.steps;
  seconds_before_ = state_.seconds;
  first_step_ = state_.step;
  saved_step_ = stage.from ? state_.step : -1;
  if (stage.communicator.first()) open_files();
  notice_.emplace(options_.spot_notice, [this](const std::string& problem) { say("warning: " + problem); });
}

void Loop::open_files() {
  const Stage& stage = stage_;
  files_.emplace(stage.run, state_.step);
  progress_.emplace(state_.steps, state_.step);
  manifest_.started = stage.from ? files_->started().value_or(utc_now()) : utc_now();
  for (const WeightedSource& each : stage.sources) manifest_.data[each.source->name()] = each.source->fingerprint();
  files_->manifest(manifest_);
}

void Loop::say(const std::string& line) {
  if (!files_) return;
  files_->log(line);
  if (stage_.say) stage_.say(line);
}

void Loop::one_step(const StepData& data) {
  const std::int64_t number = state_.step;
  require_labels(data, number + 1);
  const bool first = number == first_step_;
  if (first) require_end_labels(data, stage_.maker);
  const at::Tensor before = first ? parameters_.values().clone() : at::Tensor();
  const double rate = options_.schedule.rate(number, state_.steps);
  const std::uint64_t seed = base::mix64(options_.seed ^ base::mix64(static_cast<std::uint64_t>(number) + 1));
  const StepOutcome outcome = step_.run(data.batches, data.labelled, rate, seed);
  if (first) require_changed(before, parameters_.values(), rate);
  ++state_.step;
  state_.data = data.after;
  state_.tokens += data.tokens;
  state_.labelled += data.labelled;
  state_.examples += data.examples;
  pending_.push_back({.step = state_.step,
                      .tokens = data.tokens,
                      .labelled = data.labelled,
                      .examples = data.examples,
                      .left_out = data.after.left_out,
                      .learning_rate = rate,
                      .flops = pass_flops(stage_, data.batches),
                      .outcome = outcome});
}

// Reads what the device computed since the last time, all at once.
void Loop::flush(bool last) {
  if (pending_.empty()) return;
  std::vector<at::Tensor> numbers;
  std::int64_t tokens = 0;
  double flops = 0;
  for (const Pending& each : pending_) {
    numbers.push_back(each.outcome.loss);
    numbers.push_back(each.outcome.gradient_norm);
    tokens += each.tokens;
    flops += each.flops;
  }
  const at::Tensor read = at::stack(numbers).to(at::kCPU, at::kDouble);
  const double* number = read.const_data_ptr<double>();
  const double seconds = std::max(1e-9, seconds_since(flushed_));
  flushed_ = Clock::now();
  state_.seconds = seconds_before_ + seconds_since(started_);
  track::StepProgress progress{.step = state_.step,
                               .tokens_per_second = static_cast<double>(tokens) / seconds,
                               .flops = flops / seconds,
                               .memory_bytes = peak_memory(stage_.model.options().device)};
  if (options_.peak_tflops > 0) progress.mfu = *progress.flops / (1e12 * options_.peak_tflops);
  for (const Pending& each : pending_) {
    const double loss = *number++, norm = *number++;
    require_finite(loss, norm, each.step);
    progress.loss = loss;
    if (!files_) continue;
    track::StepMetrics metrics{.step = each.step,
                               .values = {{"loss", loss},
                                          {"gradient_norm", norm},
                                          {"learning_rate", each.learning_rate},
                                          {"tokens", static_cast<double>(each.tokens)},
                                          {"labelled_tokens", static_cast<double>(each.labelled)},
                                          {"examples", static_cast<double>(each.examples)},
                                          {"left_out", static_cast<double>(each.left_out)},
                                          {"tokens_per_second", *progress.tokens_per_second},
                                          {"flops_per_second", *progress.flops},
                                          {"memory_bytes", static_cast<double>(*progress.memory_bytes)},
                                          {"seconds", state_.seconds}}};
    if (progress.mfu) metrics.values.emplace_back("mfu", *progress.mfu);
    files_->metrics(metrics);
  }
  pending_.clear();
  if (!files_) return;
  progress_->show(progress);
  if (last) progress_->finish();
  if (!last && seconds_since(logged_) < kLogSeconds) return;
  logged_ = Clock::now();
  files_->log(progress_->text());
}

bool Loop::save_is_due() const {
  if (options_.save_every > 0 && state_.step % options_.save_every == 0) return true;
  return options_.save_minutes > 0 && seconds_since(saved_) > 60 * options_.save_minutes;
}

void Loop::save() {
  flush(/*last=*/false);  // a loss that is not finite stops here, before it is kept
  saved_ = Clock::now();
  if (saved_step_ == state_.step) return;
  saved_step_ = state_.step;
  if (!files_) return;
  files_->sync();
  const std::filesystem::path place =
      writer_.save(state_.step, trained(), optimizer_, base::to_json(state_).dump(2) + "\n");
  files_->log("saved " + place.string());
}

std::string Loop::reason_to_stop() const {
  if (stage_.stop_requested && stage_.stop_requested()) return "a signal";
  if (notice_->came()) return "the notice " + options_.spot_notice;
  if (options_.stop_after_minutes > 0 && seconds_since(started_) > 60 * options_.stop_after_minutes)
    return "--stop-after-minutes";
  return "";
}

void Loop::finish() {
  stage_.communicator.barrier();
  if (!files_) return;
  writer_.finish(trained());
  manifest_.finished = utc_now();
  files_->manifest(manifest_);
}

StageOutcome Loop::run() {
  const std::filesystem::path result = stage_.checkpoints.final_of(stage_.name);
  if (state_.step >= state_.steps && damage_of(result).empty()) require_steps_left(state_, result);
  say((stage_.from ? "going on from " + stage_.from->string() : std::string("starting")) + ": " +
      std::to_string(parameters_.count()) + " parameters, step " + std::to_string(state_.step) + " of " +
      std::to_string(state_.steps));
  {
    DataStream stream(stage_.sources,
                      {.packing = options_.packing(),
                       .seed = options_.seed,
                       .epochs = options_.steps > 0 ? 0 : options_.epochs,
                       .threads = data_threads(options_),
                       .pin = stage_.model.options().device.is_cuda(),
                       .rank = stage_.communicator.rank(),
                       .ranks = stage_.communicator.ranks(),
                       .end_of_turn = stage_.maker.end_of_turn()},
                      state_.data);
    started_ = flushed_ = saved_ = Clock::now();
    while (state_.step < state_.steps) {
      const std::optional<StepData> data = stream.next();
      if (!data)
        throw base::UserError("train", "the data ended after " + std::to_string(state_.step) + " of " +
                                           std::to_string(state_.steps) + " steps; the file was changed under way");
      one_step(*data);
      const bool last = state_.step == state_.steps;
      if (last || state_.step % log_every_ == 0) flush(last);
      const std::string reason = reason_to_stop();
      const bool stop = stage_.communicator.any(!reason.empty());
      if (stage_.communicator.any(save_is_due()) || stop || last) save();
      if (!stop || last) continue;
      say("stopped by " + (reason.empty() ? "another rank" : reason) + " after step " + std::to_string(state_.step) +
          "; the same command goes on from there");
      return {.finished = false, .step = state_.step, .why = reason, .result = {}};
    }
  }
  finish();
  say("finished after " + std::to_string(state_.step) + " steps, " + std::to_string(state_.tokens) + " tokens, " +
      std::to_string(state_.data.left_out) + " examples left out as too long: " + result.string());
  return {.finished = true, .step = state_.step, .why = {}, .result = result};
}

}  // namespace

StageOutcome run_stage(const Stage& stage) {
  Loop loop(stage);
  try {
    return loop.run();
  } catch (const std::exception& error) {
    loop.log_failure(error.what());
    throw;
  }
}

}  // namespace tritonrl::train
