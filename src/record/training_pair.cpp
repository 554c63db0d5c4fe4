#include "record/training_pair.h"

#include "record/json_fields.h"

namespace tritonrl::record {

std::string to_json(const TrainingPair& pair) {
  Json out = {{"id", pair.id},
              {"instruction", pair.instruction},
              {"output", pair.output},
              {"pytorch_code", pair.pytorch_code},
              {"level", pair.level},
              {"entry_point", pair.entry_point},
              {"source", pair.source},
              {"repository", pair.repository},
              {"licenses", pair.licenses}};
  if (!pair.policy.empty()) out["policy"] = pair.policy;
  if (!pair.variant.empty()) out["variant"] = pair.variant;
  if (!pair.family.empty()) out["family"] = pair.family;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

base::Result<TrainingPair> training_pair_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return base::Failure{"the pair is not a JSON object"};
  TrainingPair pair;
  std::string error;
  read_text(json, "id", pair.id, error);
  read_text(json, "instruction", pair.instruction, error);
  read_text(json, "output", pair.output, error);
  read_text(json, "pytorch_code", pair.pytorch_code, error);
  if (json.contains("level")) read_integer(json, "level", pair.level, error);
  if (json.contains("entry_point")) read_text(json, "entry_point", pair.entry_point, error);
  if (json.contains("source")) read_text(json, "source", pair.source, error);
  if (json.contains("repository")) read_text(json, "repository", pair.repository, error);
  if (json.contains("licenses")) read_texts(json, "licenses", pair.licenses, error);
  if (json.contains("policy")) read_text(json, "policy", pair.policy, error);
  if (json.contains("variant")) read_text(json, "variant", pair.variant, error);
  if (json.contains("family")) read_text(json, "family", pair.family, error);
  if (error.empty() && (pair.level < 1 || pair.level > 3)) error = "level is not 1, 2 or 3";
  if (!error.empty()) return base::Failure{error};
  return pair;
}

}  // namespace tritonrl::record
