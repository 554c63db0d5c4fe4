#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tritonrl::report {

std::string fixed_text(double value, int digits);               // "1.52"
std::string short_text(double value);                           // four digits that count: "0.03125", "1.2e-05"
std::string percent_text(double share);                         // 0.523: "52.3 %"
std::string count_text(std::int64_t value);                     // "12,345"
std::string share_text(std::int64_t part, std::int64_t whole);  // "184 (92 %)"
std::string duration_text(double seconds);                      // "2 h 5 min", "3 min 4 s", "12.3 s"
// A metric's name for a reader: "gap_mean" is "gap mean".
std::string label_of(const std::string& metric);
std::string or_dash(const std::optional<double>& value, std::string (*text)(double));

}  // namespace tritonrl::report
