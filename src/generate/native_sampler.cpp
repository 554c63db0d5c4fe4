#include "generate/native_sampler.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "generate/race.h"
#include "generate/row_scan.h"
#include "generate/token_filter.h"

namespace tritonrl::generate {
namespace {

using Floats = std::span<const float>;

bool changes_scores(const SamplingOptions& options) {
  return options.repetition_penalty != 1 || (options.temperature != 0 && options.temperature != 1);
}

// The row's logits, penalised and divided by its temperature, into `out`.
void write_scores(Floats logits, const NativeRow& row, float* out) {
  std::copy(logits.begin(), logits.end(), out);
  const auto penalty = static_cast<float>(row.options->repetition_penalty);
  if (penalty != 1) {
    for (const std::int32_t token : row.seen) {
      out[token] = logits[token] < 0 ? logits[token] * penalty : logits[token] / penalty;
    }
  }
  const auto temperature = static_cast<float>(row.options->temperature);
  if (temperature == 0 || temperature == 1) return;
  for (std::size_t i = 0; i < logits.size(); ++i) out[i] /= temperature;
}

std::int64_t choose(Floats scores, Floats weights, const NativeRow& row) {
  if (row.options->temperature == 0) return first_largest(scores);
  if (filters(*row.options)) return first_to_arrive(kept_tokens(scores, weights, *row.options), weights, row.key);
  return first_to_arrive(weights, row.key);
}

// log of the token's softmax. Small ones lost their digits there: then by the distance to the likeliest one.
float log_probability(Floats logits, Floats probabilities, std::int64_t token) {
  if (probabilities[token] > 1e-20f) return static_cast<float>(std::log(static_cast<double>(probabilities[token])));
  const std::int64_t best = first_largest(logits);
  return static_cast<float>(std::log(static_cast<double>(probabilities[best])) + logits[token] - logits[best]);
}

}  // namespace

Sampled sample_natively(const at::Tensor& given, std::span<const NativeRow> rows) {
  TRL_CHECK(given.dim() == 2 && given.scalar_type() == at::kFloat && given.device().is_cpu(),
            "logits are float [rows, vocabulary] on the CPU");
  const at::Tensor logits = given.contiguous();
  const auto count = static_cast<std::int64_t>(rows.size()), vocabulary = logits.size(1);
  TRL_CHECK(logits.size(0) == count, "a row of logits for each row");
  const auto row_of = [&](const at::Tensor& matrix, std::int64_t row) {
    return Floats(matrix.const_data_ptr<float>() + row * vocabulary, static_cast<std::size_t>(vocabulary));
  };
  const std::int64_t grain = std::max<std::int64_t>(1, 16384 / vocabulary);

  std::vector<std::int64_t> place(rows.size(), -1);  // among the rows whose scores are not the logits
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (changes_scores(*rows[i].options)) place[i] = changed++;
  }
  const at::Tensor scores = at::empty({changed, vocabulary}, at::kFloat);
  at::parallel_for(0, changed > 0 ? count : 0, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (place[i] >= 0)
        write_scores(row_of(logits, i), rows[i], scores.mutable_data_ptr<float>() + place[i] * vocabulary);
    }
  });
  const at::Tensor probabilities = at::softmax(logits, 1);
  const at::Tensor weights = changed > 0 ? at::softmax(scores, 1) : scores;

  Sampled sampled{.tokens = at::empty({count}, at::kLong), .log_probabilities = at::empty({count}, at::kFloat)};
  at::parallel_for(0, count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const bool own = place[i] >= 0;
      const std::int64_t token = choose(own ? row_of(scores, place[i]) : row_of(logits, i),
                                        own ? row_of(weights, place[i]) : row_of(probabilities, i), rows[i]);
      sampled.tokens.mutable_data_ptr<std::int64_t>()[i] = token;
      sampled.log_probabilities.mutable_data_ptr<float>()[i] =
          log_probability(row_of(logits, i), row_of(probabilities, i), token);
    }
  });
  return sampled;
}

}  // namespace tritonrl::generate
