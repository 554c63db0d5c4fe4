#include "record/labelled_task.h"

#include "record/json_fields.h"

namespace tritonrl::record {

std::string to_json(const LabelledTask& task) {
  Json out = {{"id", task.id},         {"pytorch_code", task.pytorch_code}, {"difficulty", task.difficulty},
              {"why", task.why},       {"entry_point", task.entry_point},   {"split", task.split},
              {"source", task.source}, {"labelled_by", task.labelled_by},   {"runnable", task.runnable}};
  if (task.own_level != 0) out["own_level"] = task.own_level;
  if (!task.degenerate.empty()) out["degenerate"] = task.degenerate;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

base::Result<LabelledTask> labelled_task_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return base::Failure{"the label is not a JSON object"};
  LabelledTask task;
  std::string error;
  read_text(json, "id", task.id, error);
  read_text(json, "pytorch_code", task.pytorch_code, error);
  read_integer(json, "difficulty", task.difficulty, error);
  if (json.contains("why")) read_texts(json, "why", task.why, error);
  if (json.contains("entry_point")) read_text(json, "entry_point", task.entry_point, error);
  if (json.contains("split")) read_text(json, "split", task.split, error);
  if (json.contains("source")) read_text(json, "source", task.source, error);
  if (json.contains("labelled_by")) read_text(json, "labelled_by", task.labelled_by, error);
  if (json.contains("runnable")) read_truth(json, "runnable", task.runnable, error);
  if (json.contains("own_level")) read_integer(json, "own_level", task.own_level, error);
  if (json.contains("degenerate")) read_text(json, "degenerate", task.degenerate, error);
  if (error.empty() && (task.difficulty < 1 || task.difficulty > 3)) error = "difficulty is not 1, 2 or 3";
  if (!error.empty()) return base::Failure{error};
  return task;
}

}  // namespace tritonrl::record
