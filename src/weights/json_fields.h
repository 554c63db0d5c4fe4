#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::weights {

// A small JSON file from outside: an object, not too large, not too deep, no name twice. UserError, naming `where`.
nlohmann::json parse_json_object(std::string_view text, const std::string& where);

nlohmann::json read_json_object(const std::filesystem::path& file);

// Typed reading of one object's fields. A field that is null counts as absent; one of the wrong type or out of bounds
// is a UserError that names file and field. Does not own the object.
class JsonFields {
 public:
  JsonFields(const nlohmann::json& object, std::string where);

  bool has(const std::string& name) const;
  bool names(const std::string& name) const;                // also if it is null
  const nlohmann::json& at(const std::string& name) const;  // must be there

  std::int64_t integer(const std::string& name, std::int64_t least, std::int64_t most) const;
  std::int64_t integer_or(const std::string& name, std::int64_t otherwise, std::int64_t least, std::int64_t most) const;
  double number(const std::string& name, double least, double most) const;
  double number_or(const std::string& name, double otherwise, double least, double most) const;
  bool boolean_or(const std::string& name, bool otherwise) const;
  std::string text(const std::string& name) const;
  std::string text_or(const std::string& name, const std::string& otherwise) const;
  std::vector<std::string> texts(const std::string& name) const;  // an array of strings
  JsonFields object(const std::string& name) const;

  const std::string& where() const { return where_; }
  // Throws: "<where>: <name> <problem>".
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const;

 private:
  const nlohmann::json& required(const std::string& name) const;

  const nlohmann::json& object_;
  std::string where_;
};

// A model's `eos_token_id`: absent, one number, or a list.
std::vector<std::int64_t> read_eos_token_ids(const JsonFields& fields);

}  // namespace tritonrl::weights
