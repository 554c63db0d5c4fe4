#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

// Reading a record's fields, for the .cpp files of this module: what is wrong with the first bad one is kept in
// `error`.
namespace tritonrl::record {

using Json = nlohmann::ordered_json;

// The field, or null if it is absent or of another type; the first such field is named in `error`.
template <typename Accepts>
const Json* field(const Json& json, const char* name, const char* kind, Accepts accepts, std::string& error) {
  const auto found = json.find(name);
  if (found != json.end() && accepts(*found)) return &*found;
  if (error.empty()) error = std::string(name) + (found == json.end() ? " is missing" : " is not " + std::string(kind));
  return nullptr;
}

template <typename Integer>
bool is_integer_of(const Json& value) {
  if (value.is_number_unsigned()) return std::in_range<Integer>(value.get<std::uint64_t>());
  return value.is_number_integer() && std::in_range<Integer>(value.get<std::int64_t>());
}

template <typename Integer>
void read_integer(const Json& json, const char* name, Integer& out, std::string& error) {
  if (const Json* value = field(json, name, "a whole number in range", is_integer_of<Integer>, error))
    out = value->get<Integer>();
}

inline void read_text(const Json& json, const char* name, std::string& out, std::string& error) {
  const auto is_text = [](const Json& value) { return value.is_string(); };
  if (const Json* value = field(json, name, "a string", is_text, error)) out = value->get<std::string>();
}

inline void read_truth(const Json& json, const char* name, bool& out, std::string& error) {
  const auto is_truth = [](const Json& value) { return value.is_boolean(); };
  if (const Json* value = field(json, name, "true or false", is_truth, error)) out = value->get<bool>();
}

inline void read_texts(const Json& json, const char* name, std::vector<std::string>& out, std::string& error) {
  const auto accepts = [](const Json& list) {
    if (!list.is_array()) return false;
    for (const Json& text : list) {
      if (!text.is_string()) return false;
    }
    return true;
  };
  if (const Json* value = field(json, name, "a list of strings", accepts, error))
    out = value->get<std::vector<std::string>>();
}

}  // namespace tritonrl::record
