#include "train/generated_source.h"

#include <algorithm>

#include "base/fields.h"
#include "base/sha256.h"
#include "train/in_threads.h"

namespace tritonrl::train {
namespace {

constexpr const char* kPlans[] = {"nested", "lines"};

class GeneratedReader : public ExampleReader {
 public:
  GeneratedReader(const GeneratedOptions& options, const Refused& refused, const ExampleMaker& maker)
      : generator_(generate_options(options, refused)), prompt_(options.prompt), maker_(maker), first_(options.first) {}

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
  field("generator_seed", seed, {.help = "of the generated modules"});
  field("fusions", fusions, {.help = "weight of modules with fused chains", .least = 0});
  field("singles", singles, {.help = "weight of modules with one operator", .least = 0});
  field("rewrites", rewrites, {.help = "weight of modules as people write them", .least = 0});
  field("chains", chains, {.help = "weight of modules with three to six regions", .least = 0});
  field("strict", strict, {.help = "share of answers under policy strict", .least = 0, .most = 1});
  field("fast", fast, {.help = "share of answers in the fast variant", .least = 0, .most = 1});
  field("rename", rename, {.help = "names are drawn once more, over the whole file"});
  field("lone_operators", lone_operators,
        {.help = "also single operators that are a KernelBench task by their hash, at other sizes"});
  field("plan", plan,
        {.help = "of the plan before the code: nested: a line a kernel; lines: a line an operator", .choices = kPlans});
  field("first_pair", first, {.help = "number of the first generated pair"});
  field("prompt", prompt);
}

WordedPair worded(const teacher::GeneratedPair& pair, const text::PromptOptions& options) {
  // the module is in Python's normal form, and the solution begins with its plan
  return {.instruction = text::prompt({.code = pair.module,
                                       .normal = pair.module,
                                       .entry_point = "Model",
                                       .facts = pair.facts,
                                       .strict = pair.policy == teacher::KernelPolicy::kStrict},
                                      options),
          .output = text::answer(pair.answer.solution, options.form)};
}

teacher::GenerateOptions generate_options(const GeneratedOptions& options, Refused refused) {
  teacher::GenerateOptions out;
  out.seed = options.seed;
  out.fusions = options.fusions;
  out.singles = options.singles;
  out.rewrites = options.rewrites;
  out.strict = options.strict;
  out.fast = options.fast;
  out.chains = options.chains;
  out.rename = options.rename;
  out.lone_operators = options.lone_operators;
  out.plan = options.plan == kPlans[1] ? teacher::PlanForm::kLines : teacher::PlanForm::kNested;
  out.refused = std::move(refused);
  return out;
}

std::vector<WordedPair> first_pairs(const GeneratedOptions& options, const Refused& refused, std::size_t count,
                                    int threads) {
  constexpr std::size_t kBlock = 256;  // a generator serves many pairs: making one takes longer than a pair
  std::vector<WordedPair> pairs(count);
  in_threads((count + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
    teacher::PairGenerator generator(generate_options(options, refused));
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
