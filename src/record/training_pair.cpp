#include "record/training_pair.h"

#include "base/fields.h"

namespace tritonrl::record {

void TrainingPair::fields(base::FieldVisitor& field) {
  using base::kMayLack, base::kWhereSet;
  TRL_FIELDS(field, id, instruction, output, pytorch_code);
  field("level", level, {.presence = base::Presence::kMayLack, .least = 1, .most = 3});
  field("entry_point", entry_point, kMayLack);
  field("source", source, kMayLack);
  field("repository", repository, kMayLack);
  field("licenses", licenses, kMayLack);
  field("policy", policy, kWhereSet);
  field("variant", variant, kWhereSet);
  field("family", family, kWhereSet);
}

std::string to_json(const TrainingPair& pair) {
  return base::to_json(pair).dump();
}

base::Result<TrainingPair> training_pair_from_json(std::string_view text) {
  return base::from_json<TrainingPair>(text, "pair");
}

}  // namespace tritonrl::record
