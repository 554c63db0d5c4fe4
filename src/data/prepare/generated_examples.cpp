#include "data/prepare/generated_examples.h"

#include <algorithm>

#include "base/fields.h"
#include "base/sha256.h"
#include "teacher/plan/plan.h"

namespace tritonrl::data {

namespace {

teacher::GenerateOptions refusing(teacher::GenerateOptions options, std::shared_ptr<const BenchmarkHashes> refused) {
  options.refused = [refused = std::move(refused)](const std::string& hash) { return refused->contains(hash); };
  return options;
}

}  // namespace

GeneratedExamples::GeneratedExamples(const TeacherOptions& options, std::shared_ptr<const BenchmarkHashes> refused)
    : options_(options), generator_(refusing(options, std::move(refused))) {}

std::optional<ReadExample> GeneratedExamples::next() {
  if (made_ >= options_.generate) return std::nullopt;
  teacher::GeneratedPair pair = generator_.pair(static_cast<std::uint64_t>(made_));
  ++made_;
  ReadExample out{.file = "generated", .row = made_, .example = {}, .problem = {}};
  Example& example = out.example.emplace();
  example.id = std::move(pair.id);
  example.source = "generated";
  example.pytorch_code = std::move(pair.module);
  example.solution = std::move(pair.answer.solution);
  example.plan = teacher::plan_text(teacher::plan_of(pair.answer));
  example.entry_point = std::move(pair.entry_point);
  example.policy = name_of(pair.policy);
  example.variant = name_of(pair.variant);
  example.family = name_of(pair.family);
  example.level = pair.level;
  example.lone_of_benchmark = pair.lone_of_benchmark;
  example.facts = std::move(pair.facts);
  example.operator_hash = std::move(pair.operator_hash);
  for (const teacher::RegionReport& region : pair.answer.regions) {
    for (const std::string& name : region.operators) {
      if (std::find(example.operators.begin(), example.operators.end(), name) == example.operators.end())
        example.operators.push_back(name);
    }
  }
  return out;
}

std::string GeneratedExamples::fingerprint() const {
  return base::sha256(base::field_key(options_));
}

}  // namespace tritonrl::data
