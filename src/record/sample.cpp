#include "record/sample.h"

#include "base/fields.h"

namespace tritonrl::record {

std::span<const char* const> enum_names(FinishReason) {
  static constexpr const char* kNames[] = {"stop_token", "stop_string", "length", "cancelled"};
  return kNames;
}

std::string_view name_of(FinishReason reason) {
  return base::enum_name(reason);
}

void Sample::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, id, index, text, finish, tokens, log_probabilities, seed, adapter_version, prompt);
  field("turn", turn, base::kWhereSet);
  field("parent_id", parent_id, base::kWhereSet);
}

std::string to_json(const Sample& sample) {
  return base::to_json(sample).dump();
}

base::Result<Sample> sample_from_json(std::string_view text) {
  base::Result<Sample> sample = base::from_json<Sample>(text, "sample");
  if (sample.ok() && sample.value().tokens.size() != sample.value().log_probabilities.size())
    return base::Failure{"sample: tokens and log_probabilities differ in length"};
  return sample;
}

}  // namespace tritonrl::record
