#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "track/metrics_file.h"

namespace tritonrl::track {

// TensorBoard's protobuf message `Event`, by hand and byte for byte as its own writer has it: fields in the order of
// their numbers, those at their default left out. `wall_time`: seconds since 1970.

// The first record of every file.
std::string version_event(double wall_time);
// A run goes on: readers forget what they have of this step and later ones.
std::string restart_event(double wall_time, std::int64_t step);
// One `simple_value` each.
std::string scalars_event(double wall_time, std::int64_t step, const Values& values);
// For the tab of texts, which shows Markdown.
std::string text_event(double wall_time, std::int64_t step, std::string_view tag, std::string_view text);

// A record of a TFRecord file: length, its checksum, the bytes, theirs.
std::string framed_record(std::string_view bytes);

}  // namespace tritonrl::track
