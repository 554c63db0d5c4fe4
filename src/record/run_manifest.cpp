#include "record/run_manifest.h"

#include "base/fields.h"

namespace tritonrl::record {

void RunManifest::Versions::fields(base::FieldVisitor& field) {
  field("program", program);
  field("torch", torch, base::kWhereSet);
  field("judge", judge, base::kWhereSet);
}

void RunManifest::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, name, command, options, versions, data, started);
  field("finished", finished, base::kWhereSet);
}

std::string to_json(const RunManifest& manifest) {
  return base::to_json(manifest).dump(2) + "\n";
}

base::Result<RunManifest> run_manifest_from_json(std::string_view text) {
  return base::from_json<RunManifest>(text, "manifest");
}

}  // namespace tritonrl::record
