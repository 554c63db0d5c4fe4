#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace tritonrl::base {

// What is true of a file that holds JSON and comes from outside.
struct ForeignJson {
  const char* part;         // who reads it, in brackets before every complaint: "weights"
  std::string where;        // the file
  std::size_t longest = 0;  // bytes; 0: any
  int deepest = 32;
  Json::Names names = Json::Names::kOnce;
};

// The object that the text is. UserError names the file: too long, not JSON, too deep, a name twice, no object.
Json parse_foreign_object(std::string_view text, const ForeignJson& file);

// A value inside such a file that knows where it stands: every complaint, a UserError, names file and field. A member
// that is null counts as missing. Does not own the value.
class JsonField {
 public:
  JsonField(const Json& value, const ForeignJson& file, std::string path = {})
      : value_(&value), part_(file.part), where_(file.where), path_(std::move(path)) {}

  const Json& value() const { return *value_; }
  const std::string& where() const { return where_; }
  bool is_null() const { return value_->is_null(); }

  // A member of an object; null if there is none.
  JsonField operator[](std::string_view name) const;
  bool has(std::string_view name) const { return !(*this)[name].is_null(); }
  std::vector<JsonField> members() const;  // each with its name as the last of its path
  JsonField element(std::size_t index) const;
  std::size_t elements() const;  // of an array

  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  std::int64_t integer_or(std::int64_t otherwise, std::int64_t least, std::int64_t most) const {
    return is_null() ? otherwise : integer(least, most);
  }
  double number(double least, double most) const;
  double number_or(double otherwise, double least, double most) const {
    return is_null() ? otherwise : number(least, most);
  }
  bool boolean() const;
  bool boolean_or(bool otherwise) const { return is_null() ? otherwise : boolean(); }
  const std::string& text() const;
  std::string text_or(std::string_view otherwise) const { return is_null() ? std::string(otherwise) : text(); }
  std::vector<std::string> texts() const;  // an array of strings

  // UserError: "<file>: <path> <problem>".
  [[noreturn]] void refuse(const std::string& problem) const;

 private:
  JsonField(const Json& value, const JsonField& parent, std::string path)
      : value_(&value), part_(parent.part_), where_(parent.where_), path_(std::move(path)) {}
  std::string path_to(std::string_view name) const;
  [[noreturn]] void refuse_value(const std::string& expected) const;

  const Json* value_;
  const char* part_;
  std::string where_;
  std::string path_;  // with dots from the top
};

}  // namespace tritonrl::base
