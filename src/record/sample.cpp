#include "record/sample.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "record/json_fields.h"

namespace tritonrl::record {
namespace {

constexpr std::array kReasons = {FinishReason::kStopToken, FinishReason::kStopString, FinishReason::kLength,
                                 FinishReason::kCancelled};

// As few digits as tell the float, instead of those of the double that it becomes in JSON.
double shortest(float value) {
  std::array<char, 32> digits;
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  double out = 0;
  std::from_chars(digits.data(), written.ptr, out);
  return out;
}

Json numbers(const std::vector<float>& values) {
  Json out = Json::array();
  for (const float value : values) out.push_back(std::isfinite(value) ? Json(shortest(value)) : Json(nullptr));
  return out;
}

void read_tokens(const Json& json, const char* name, std::vector<std::int32_t>& out, std::string& error) {
  const auto accepts = [](const Json& list) {
    if (!list.is_array()) return false;
    for (const Json& token : list) {
      if (!is_integer_of<std::int32_t>(token)) return false;
    }
    return true;
  };
  if (const Json* value = field(json, name, "a list of token ids", accepts, error))
    out = value->get<std::vector<std::int32_t>>();
}

void read_floats(const Json& json, const char* name, std::vector<float>& out, std::string& error) {
  const auto accepts = [](const Json& list) {
    if (!list.is_array()) return false;
    for (const Json& number : list) {
      if (!number.is_number() && !number.is_null()) return false;
    }
    return true;
  };
  const Json* value = field(json, name, "a list of numbers", accepts, error);
  if (value == nullptr) return;
  for (const Json& number : *value)
    out.push_back(number.is_null() ? std::numeric_limits<float>::quiet_NaN() : number.get<float>());
}

void read_finish(const Json& json, FinishReason& out, std::string& error) {
  std::string name;
  read_text(json, "finish", name, error);
  for (const FinishReason reason : kReasons) {
    if (name_of(reason) == name) {
      out = reason;
      return;
    }
  }
  if (error.empty()) error = "finish is none of the reasons: " + name;
}

}  // namespace

std::string_view name_of(FinishReason reason) {
  switch (reason) {
    case FinishReason::kStopToken:
      return "stop_token";
    case FinishReason::kStopString:
      return "stop_string";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kCancelled:
      return "cancelled";
  }
  TRL_CHECK(false, "a reason without a name");
}

std::string to_json(const Sample& sample) {
  Json out = {{"id", sample.id}, {"index", sample.index}, {"text", sample.text}};
  out["finish"] = name_of(sample.finish);
  out["tokens"] = sample.tokens;
  out["log_probabilities"] = numbers(sample.log_probabilities);
  out["seed"] = sample.seed;
  out["adapter_version"] = sample.adapter_version;
  out["prompt"] = sample.prompt;
  if (sample.turn != 0) out["turn"] = sample.turn;
  if (!sample.parent_id.empty()) out["parent_id"] = sample.parent_id;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

base::Result<Sample> sample_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return base::Failure{"the sample is not a JSON object"};
  Sample sample;
  std::string error;
  read_text(json, "id", sample.id, error);
  read_integer(json, "index", sample.index, error);
  read_text(json, "text", sample.text, error);
  read_finish(json, sample.finish, error);
  read_tokens(json, "tokens", sample.tokens, error);
  read_floats(json, "log_probabilities", sample.log_probabilities, error);
  read_integer(json, "seed", sample.seed, error);
  read_integer(json, "adapter_version", sample.adapter_version, error);
  read_tokens(json, "prompt", sample.prompt, error);
  if (json.contains("turn")) read_integer(json, "turn", sample.turn, error);
  if (json.contains("parent_id")) read_text(json, "parent_id", sample.parent_id, error);
  if (error.empty() && sample.tokens.size() != sample.log_probabilities.size())
    error = "tokens and log_probabilities differ in length";
  if (!error.empty()) return base::Failure{error};
  return sample;
}

}  // namespace tritonrl::record
