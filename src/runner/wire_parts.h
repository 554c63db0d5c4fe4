#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "machine/machine.h"
#include "runner/run_outcome.h"
#include "runner/step_place.h"

namespace tritonrl::runner {

// Pieces of requests and outcomes as JSON. Reading throws nlohmann::json::exception for anything of another form.
nlohmann::json to_json(const StepPlace& place);
StepPlace place_from_json(const nlohmann::json& json);

nlohmann::json to_json(const machine::MachineOptions& options);
machine::MachineOptions machine_options_from_json(const nlohmann::json& json);

nlohmann::json to_json(const machine::Counters& counters);

// Sorted and without repetition, as covered places are.
nlohmann::json to_json(const std::vector<machine::SourcePosition>& positions);
std::vector<machine::SourcePosition> positions_from_json(const nlohmann::json& json);

// Without `covered`, which launches share.
nlohmann::json to_json(const LaunchReport& report);
LaunchReport report_from_json(const nlohmann::json& json);

}  // namespace tritonrl::runner
