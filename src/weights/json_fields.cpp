#include "weights/json_fields.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/files.h"

namespace tritonrl::weights {
namespace {

constexpr std::size_t kLongestText = std::size_t{16} << 20;
constexpr int kDeepest = 32;

std::string shortened(const nlohmann::json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

std::string plain(double number) {
  return nlohmann::json(number).dump();
}

}  // namespace

nlohmann::json parse_json_object(std::string_view text, const std::string& where) {
  if (text.size() > kLongestText)
    throw base::UserError("weights", where + ": is too long for a description of a model");
  std::vector<std::set<std::string>> names;  // of the objects that are open
  const auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    if (depth > kDeepest) throw base::UserError("weights", where + ": is nested too deeply");
    if (event == nlohmann::json::parse_event_t::object_start) names.emplace_back();
    if (event == nlohmann::json::parse_event_t::object_end) names.pop_back();
    if (event == nlohmann::json::parse_event_t::key && !names.back().insert(value.get<std::string>()).second) {
      throw base::UserError("weights", where + ": has two fields named " + shortened(value));
    }
    return true;
  };
  nlohmann::json object;
  try {
    object = nlohmann::json::parse(text.begin(), text.end(), watch);
  } catch (const nlohmann::json::parse_error& error) {
    throw base::UserError("weights", where + ": is not JSON at byte " + std::to_string(error.byte));
  } catch (const nlohmann::json::exception&) {
    throw base::UserError("weights", where + ": holds a number that is too large");
  }
  if (!object.is_object()) throw base::UserError("weights", where + ": is not a JSON object");
  return object;
}

nlohmann::json read_json_object(const std::filesystem::path& file) {
  return parse_json_object(base::read_file(file, kLongestText), file.string());
}

JsonFields::JsonFields(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {
  if (!object_.is_object()) throw base::UserError("weights", where_ + ": is not an object");
}

bool JsonFields::has(const std::string& name) const {
  const auto found = object_.find(name);
  return found != object_.end() && !found->is_null();
}

bool JsonFields::names(const std::string& name) const {
  return object_.contains(name);
}

const nlohmann::json& JsonFields::at(const std::string& name) const {
  return required(name);
}

const nlohmann::json& JsonFields::required(const std::string& name) const {
  if (!has(name)) fail(name, "is missing");
  return *object_.find(name);
}

std::int64_t JsonFields::integer(const std::string& name, std::int64_t least, std::int64_t most) const {
  const nlohmann::json& value = required(name);
  const bool fits = value.is_number_integer() && (!value.is_number_unsigned() ||
                                                  value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
  if (!fits || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most) {
    fail(name, "is " + shortened(value) + "; expected a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most));
  }
  return value.get<std::int64_t>();
}

std::int64_t JsonFields::integer_or(const std::string& name, std::int64_t otherwise, std::int64_t least,
                                    std::int64_t most) const {
  return has(name) ? integer(name, least, most) : otherwise;
}

double JsonFields::number(const std::string& name, double least, double most) const {
  const nlohmann::json& value = required(name);
  if (!value.is_number() || !(value.get<double>() >= least && value.get<double>() <= most)) {
    fail(name, "is " + shortened(value) + "; expected a number from " + plain(least) + " to " + plain(most));
  }
  return value.get<double>();
}

double JsonFields::number_or(const std::string& name, double otherwise, double least, double most) const {
  return has(name) ? number(name, least, most) : otherwise;
}

bool JsonFields::boolean_or(const std::string& name, bool otherwise) const {
  if (!has(name)) return otherwise;
  const nlohmann::json& value = required(name);
  if (!value.is_boolean()) fail(name, "is " + shortened(value) + "; expected true or false");
  return value.get<bool>();
}

std::string JsonFields::text(const std::string& name) const {
  const nlohmann::json& value = required(name);
  if (!value.is_string()) fail(name, "is " + shortened(value) + "; expected a string");
  return value.get<std::string>();
}

std::string JsonFields::text_or(const std::string& name, const std::string& otherwise) const {
  return has(name) ? text(name) : otherwise;
}

std::vector<std::string> JsonFields::texts(const std::string& name) const {
  const nlohmann::json& value = required(name);
  if (!value.is_array()) fail(name, "is " + shortened(value) + "; expected a list of strings");
  std::vector<std::string> all;
  for (const nlohmann::json& item : value) {
    if (!item.is_string()) fail(name, "holds " + shortened(item) + "; expected strings");
    all.push_back(item.get<std::string>());
  }
  return all;
}

JsonFields JsonFields::object(const std::string& name) const {
  const nlohmann::json& value = required(name);
  if (!value.is_object()) fail(name, "is " + shortened(value) + "; expected an object");
  return JsonFields(value, where_ + ": " + name);
}

void JsonFields::fail(const std::string& name, const std::string& problem) const {
  throw base::UserError("weights", where_ + ": " + name + " " + problem);
}

}  // namespace tritonrl::weights
