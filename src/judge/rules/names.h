#pragma once

#include <string_view>

namespace tritonrl::judge::rules {

// Names that are used beside their own row of the table (rule_table.h): of rules that a stage finds on its way, and of
// switches.

inline constexpr std::string_view kNoEntryPoint = "no_entry_point";
inline constexpr std::string_view kNotRecordable = "not_recordable";
inline constexpr std::string_view kIntrusion = "intrusion";
inline constexpr std::string_view kQuestions = "questions";
inline constexpr std::string_view kStability = "stability";
inline constexpr std::string_view kNotExecutable = "not_executable";
inline constexpr std::string_view kCopies = "copies";
inline constexpr std::string_view kSilence = "silence";
inline constexpr std::string_view kRace = "race";
inline constexpr std::string_view kAliasing = "aliasing";
inline constexpr std::string_view kFailsOffShape = "fails_off_shape";
inline constexpr std::string_view kIgnoresParameters = "ignores_parameters";
inline constexpr std::string_view kUnverified = "unverified_at_real_shape";

// Protections without a rule of their own: what they stop is a wrong result.
inline constexpr std::string_view kState = "state";  // each forward gets inputs of its own, in one sequence
inline constexpr std::string_view kTiny = "tiny";    // the stage of that name
inline constexpr std::string_view kAst = "ast";      // all rules on the file but syntax and entry point

}  // namespace tritonrl::judge::rules
