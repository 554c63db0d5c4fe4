#include "rl/learner/policy_learner.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "base/error.h"
#include "base/hash64.h"
#include "model/adapter.h"
#include "train/checks.h"
#include "train/example.h"
#include "train/step_packer.h"

namespace tritonrl::rl {
namespace {

train::Example example_of(const record::Sample& sample) {
  train::Example out;
  out.tokens = sample.prompt;
  out.tokens.insert(out.tokens.end(), sample.tokens.begin(), sample.tokens.end());
  out.prompt = static_cast<std::int64_t>(sample.prompt.size());
  return out;
}

at::Tensor joined(const std::vector<std::size_t>& places, std::int64_t size,
                  const std::function<const std::vector<float>&(std::size_t)>& values) {
  at::Tensor out = at::empty({size}, at::kFloat);
  auto* to = out.mutable_data_ptr<float>();
  for (const std::size_t place : places) to = std::copy(values(place).begin(), values(place).end(), to);
  TRL_CHECK(to == out.const_data_ptr<float>() + size, "a weight for each labelled token");
  return out;
}

// Means of what steps or tokens had.
struct Gap {
  double sum = 0, most = 0;
  std::int64_t tokens = 0;
  void add(double difference) {
    sum += difference;
    most = std::max(most, difference);
    ++tokens;
  }
};

}  // namespace

struct PolicyLearner::Known {
  train::Example example;
  bool fits = true;                   // into a pass
  std::vector<float> old, reference;  // log-probabilities of the answer's tokens; empty: not needed
};

PolicyLearner::PolicyLearner(const LearnerOptions& options, Method method, const LearnerPlace& place,
                             const std::optional<std::filesystem::path>& from)
    : options_(options),
      method_(method),
      place_(place),
      parameters_(train::trained_parameters(place.model)),
      optimizer_(parameters_, options.train.optimizer),
      step_(place.model, parameters_, optimizer_, place.ranks,
            {.clip = options.train.clip,
             .recompute = options.train.recompute == train::Recompute::kOn,
             .loss_chunk = options.train.loss_chunk,
             .dropout = false,
             .policy = options.policy}),
      writer_(place.checkpoints, place.stage,
              {.keep = options.train.keep, .mirror = options.train.mirror, .say = place.say}) {
  if (options.policy.kl > 0 && !place.adapter)
    throw base::UserError("rl",
                          "--kl measures the distance from the model without its adapter, and all parameters are "
                          "trained here; leave out --kl or --all-parameters");
  if (!from) return;
  const auto state = train::read_state_as<RlState>(*from);
  train::read_optimizer(*from, optimizer_, state.version);
  place_.model.adapter_version = state.version;
}

std::vector<PolicyLearner::Known> PolicyLearner::look(std::span<const Lesson> lessons) {
  const train::PackingOptions packing{.bins = 1, .capacity = options_.train.pass_tokens, .longest_example = 0};
  std::vector<Known> known;
  for (const Lesson& lesson : lessons) {
    Known& each = known.emplace_back();
    each.example = example_of(lesson.sample);
    each.fits = each.example.length() <= packing.limit();
  }
  train::StepPacker packer(packing);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].fits) packer.add(i, {}, known[i].example.length());
  }
  const auto note = [&](std::vector<float> Known::*where, const std::vector<std::size_t>& places,
                        const train::MicroBatch& batch) {
    const at::Tensor values = step_.log_probabilities(batch);
    const auto* value = values.const_data_ptr<float>();
    for (const std::size_t place : places) {
      const auto length = static_cast<std::ptrdiff_t>(lessons[place].sample.tokens.size());
      (known[place].*where).assign(value, value + length);
      value += length;
    }
  };
  std::size_t bin = 0;
  while (!packer.empty()) {
    for (const std::vector<std::size_t>& places : packer.take().bins) {
      if (!is_mine(bin++)) continue;
      std::vector<const train::Example*> examples;
      for (const std::size_t place : places) examples.push_back(&known[place].example);
      const train::MicroBatch batch = train::make_micro_batch(examples);
      note(&Known::old, places, batch);
      if (options_.policy.kl <= 0) continue;
      const model::WithoutAdapter base(place_.model);
      note(&Known::reference, places, batch);
    }
  }
  share(known, &Known::old);
  if (options_.policy.kl > 0) share(known, &Known::reference);
  return known;
}

void PolicyLearner::share(std::vector<Known>& known, std::vector<float> Known::*what) {
  if (place_.ranks.ranks() == 1) return;
  std::int64_t size = 0;
  for (const Known& each : known) size += each.fits ? each.example.labelled() : 0;
  at::Tensor all = at::zeros({size}, at::kFloat);
  const auto answers = [&](const auto& visit) {
    auto* value = all.mutable_data_ptr<float>();
    for (Known& each : known) {
      if (!each.fits) continue;
      visit(each.*what, value, each.example.labelled());
      value += each.example.labelled();
    }
  };
  answers([](const std::vector<float>& values, float* to, std::int64_t) { std::ranges::copy(values, to); });
  at::Tensor sum = all.to(place_.model.options().device);
  place_.ranks.sum(sum);
  all.copy_(sum);
  answers(
      [](std::vector<float>& values, const float* from, std::int64_t length) { values.assign(from, from + length); });
}

train::MicroBatch PolicyLearner::batch_of(const std::vector<std::size_t>& places, const std::vector<Known>& known,
                                          std::span<const Lesson> lessons) const {
  std::vector<const train::Example*> examples;
  for (const std::size_t place : places) examples.push_back(&known[place].example);
  train::MicroBatch batch = train::make_micro_batch(examples);
  const std::int64_t size = batch.labelled();
  batch.weights = joined(
      places, size, [&](std::size_t place) -> const auto& { return lessons[place].weights; });
  if (method_ == Method::kBestOf) return batch;
  batch.old_log_probabilities = joined(
      places, size, [&](std::size_t place) -> const auto& { return known[place].old; });
  if (options_.policy.kl > 0)
    batch.reference_log_probabilities = joined(
        places, size, [&](std::size_t place) -> const auto& { return known[place].reference; });
  return batch;
}

track::Numbers PolicyLearner::learn(std::span<const Lesson> lessons, const LearnContext& context) {
  const std::vector<Known> known = look(lessons);
  track::Numbers out;
  Gap gap;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i].fits) {
      ++out["left_out"];
      continue;
    }
    order.push_back(i);
    const std::vector<float>& sampled = lessons[i].sample.log_probabilities;
    // replayed winners were sampled from other weights
    if (lessons[i].sample.adapter_version != version() || sampled.size() != known[i].old.size()) continue;
    for (std::size_t t = 0; t < sampled.size(); ++t) gap.add(std::abs(double{sampled[t]} - double{known[i].old[t]}));
  }
  if (gap.tokens > 0) {
    out["gap_mean"] = gap.sum / static_cast<double>(gap.tokens);
    out["gap_max"] = gap.most;
    if (!(out["gap_mean"] <= options_.most_gap))
      throw base::UserError("rl", "sampling and training disagree about the probability of tokens by " +
                                      std::to_string(out["gap_mean"]) + " in the mean, above --most-gap " +
                                      std::to_string(options_.most_gap) +
                                      ": what is pushed is not what was sampled; use --dtype fp32, or raise it");
  }
  const train::PackingOptions packing = options_.train.packing();
  double loss = 0, norm = 0, clipped = 0, kl = 0, tokens = 0;
  std::int64_t steps = 0;
  const double rate = options_.train.schedule.rate(context.round - 1, context.rounds);
  for (std::int64_t epoch = 0; epoch < options_.train.epochs; ++epoch) {
    std::uint64_t seed = base::mix64(context.seed + static_cast<std::uint64_t>(epoch));
    for (std::size_t left = order.size(); left > 1; --left) {
      seed = base::mix64(seed);
      std::swap(order[left - 1], order[seed % left]);
    }
    train::StepPacker packer(packing);
    const auto one_step = [&] {
      std::vector<train::MicroBatch> batches;
      std::int64_t labelled = 0;
      std::size_t bin = 0;
      for (const std::vector<std::size_t>& places : packer.take().bins) {
        for (const std::size_t place : places) labelled += known[place].example.labelled();
        if (is_mine(bin++)) batches.push_back(batch_of(places, known, lessons));
      }
      const train::StepOutcome outcome =
          step_.run(batches, labelled, rate, base::mix64(seed ^ static_cast<std::uint64_t>(steps)));
      const double step_loss = outcome.loss.item<double>(), step_norm = outcome.gradient_norm.item<double>();
      train::require_finite(step_loss, step_norm, version());
      loss += step_loss;
      norm += step_norm;
      at::Tensor sums = at::stack({outcome.policy.clipped, outcome.policy.kl});
      place_.ranks.sum(sums);
      clipped += sums[0].item<double>();
      kl += sums[1].item<double>();
      tokens += static_cast<double>(labelled);
      ++steps;
    };
    for (const std::size_t place : order) {
      packer.add(place, {}, known[place].example.length());
      while (packer.full()) one_step();
    }
    while (!packer.empty()) one_step();
  }
  if (steps == 0) return out;
  out["loss"] = loss / static_cast<double>(steps);
  out["gradient_norm"] = norm / static_cast<double>(steps);
  out["learning_rate"] = rate;
  out["steps"] = static_cast<double>(steps);
  out["trained_tokens"] = tokens;
  if (method_ == Method::kGrpo) out["clipped"] = clipped / tokens;
  if (options_.policy.kl > 0) out["kl_distance"] = kl / tokens;
  return out;
}

void PolicyLearner::save(std::int64_t round, const std::string& state) {
  if (place_.ranks.first()) writer_.save(round, trained(), optimizer_, state);
}

std::filesystem::path PolicyLearner::finish() {
  place_.ranks.barrier();
  if (place_.ranks.first()) return writer_.finish(trained());
  return place_.checkpoints.final_of(place_.stage);
}

}  // namespace tritonrl::rl
