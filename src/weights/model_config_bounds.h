#pragma once

#include <string>

#include "weights/model_config.h"

namespace tritonrl::weights {

// What no model exceeds: keeps the arithmetic on sizes far from overflow, and typing errors from becoming allocations.
inline constexpr std::int64_t kLargestVocabulary = std::int64_t{1} << 24;
inline constexpr std::int64_t kLargestHidden = std::int64_t{1} << 17;
inline constexpr std::int64_t kLargestIntermediate = std::int64_t{1} << 20;
inline constexpr std::int64_t kMostLayers = 1024;
inline constexpr std::int64_t kMostHeads = 4096;
inline constexpr std::int64_t kLargestHead = 1024;
inline constexpr std::int64_t kLongestContext = std::int64_t{1} << 26;
inline constexpr std::int64_t kLargestTokenId = (std::int64_t{1} << 31) - 1;
inline constexpr double kSmallestEpsilon = 1e-15, kLargestEpsilon = 0.1;
inline constexpr double kSmallestTheta = 1, kLargestTheta = 1e15;
inline constexpr double kLargestRopeFactor = 1e6;

// Bounds of each number and the relations between them, whichever file they came from. UserError names the field.
void check_model_config(const ModelConfig& config, const std::string& where);

}  // namespace tritonrl::weights
