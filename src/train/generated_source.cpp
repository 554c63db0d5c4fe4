#include "train/generated_source.h"

#include <algorithm>

#include "base/fields.h"
#include "base/sha256.h"
#include "teacher/families/taken_over.h"
#include "teacher/plan/plan.h"
#include "train/in_threads.h"

namespace tritonrl::train {
namespace {

teacher::GenerateOptions refusing(const GeneratedOptions& options, Refused refused) {
  teacher::GenerateOptions out = options;
  out.counted_names = options.prompt.names == text::PromptNames::kCounted;
  if (options.prompt.act == text::PromptAct::kPlan) out.plan = teacher::PlanForm::kLines;
  out.refused = std::move(refused);
  return out;
}

class GeneratedReader : public ExampleReader {
 public:
  GeneratedReader(const GeneratedOptions& options, const Refused& refused, const ExampleMaker& maker)
      : generator_(refusing(options, refused)), prompt_(options.prompt), maker_(maker), first_(options.first) {}

  Example example(std::uint64_t index) override {
    const WordedPair pair = worded(generator_.pair(first_ + index), prompt_);
    return maker_.make(pair.instruction, pair.output);
  }

 private:
  teacher::PairGenerator generator_;
  text::PromptOptions prompt_;
  const ExampleMaker& maker_;
  std::uint64_t first_;
};

}  // namespace

void GeneratedOptions::fields(base::FieldVisitor& field) {
  GenerateOptions::fields(field, /*apart=*/true);
  field("first_pair", first, {.help = "number of the first generated pair"});
  field("prompt", prompt);
}

WordedPair worded(const teacher::GeneratedPair& pair, const text::PromptOptions& options) {
  // the module is in Python's normal form, and the solution begins with its plan
  return {.instruction = text::prompt({.code = pair.module,
                                       .normal = pair.module,
                                       .entry_point = pair.entry_point,
                                       .facts = pair.facts,
                                       .strict = pair.policy == teacher::KernelPolicy::kStrict},
                                      options),
          .output = options.act == text::PromptAct::kPlan
                        ? teacher::plan_text(teacher::plan_of(pair.answer))
                        : text::answer(options.names == text::PromptNames::kCounted
                                           ? teacher::short_answer(pair.answer.solution, pair.module, pair.entry_point)
                                           : pair.answer.solution,
                                       options.form)};
}

std::vector<WordedPair> first_pairs(const GeneratedOptions& options, const Refused& refused, std::size_t count,
                                    int threads) {
  constexpr std::size_t kBlock = 256;  // a generator serves many pairs: making one takes longer than a pair
  std::vector<WordedPair> pairs(count);
  in_threads((count + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
    teacher::PairGenerator generator(refusing(options, refused));
    for (std::size_t i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i)
      pairs[i] = worded(generator.pair(options.first + i), options.prompt);
  });
  return pairs;
}

GeneratedSource::GeneratedSource(const GeneratedOptions& options, Refused refused, const ExampleMaker& maker)
    : options_(options), refused_(std::move(refused)), maker_(maker) {}

std::unique_ptr<ExampleReader> GeneratedSource::reader() const {
  return std::make_unique<GeneratedReader>(options_, refused_, maker_);
}

std::string GeneratedSource::fingerprint() const {
  return base::sha256(base::field_key(options_));
}

}  // namespace tritonrl::train
