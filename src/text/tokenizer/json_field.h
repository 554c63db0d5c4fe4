#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"

namespace tritonrl::text {

// A value inside a JSON file that knows where it stands, so that every complaint can name it.
class JsonField {
 public:
  JsonField(const nlohmann::json& value, std::string where, std::string name)
      : value_(value), where_(std::move(where)), name_(std::move(name)) {}

  const nlohmann::json& value() const { return value_; }
  const std::string& name() const { return name_; }
  bool is_null() const { return value_.is_null(); }

  [[noreturn]] void refuse(const std::string& message) const {
    throw base::UserError("text", where_ + ": `" + name_ + "` " + message);
  }

  // A member of an object; null if there is none.
  JsonField member(const char* key) const {
    static const nlohmann::json nothing;
    if (!value_.is_object()) refuse("must be an object");
    const auto found = value_.find(key);
    return {found == value_.end() ? nothing : *found, where_, name_.empty() ? key : name_ + "." + key};
  }
  JsonField element(std::size_t index) const {
    return {value_[index], where_, name_ + "[" + std::to_string(index) + "]"};
  }
  std::size_t elements() const {
    if (!value_.is_array()) refuse("must be an array");
    return value_.size();
  }

  const std::string& string() const {
    if (!value_.is_string()) refuse(is_null() ? "is missing; it must be a string" : "must be a string");
    return value_.get_ref<const std::string&>();
  }
  bool boolean() const {
    if (!value_.is_boolean()) refuse(is_null() ? "is missing; it must be true or false" : "must be true or false");
    return value_.get<bool>();
  }
  bool boolean_or(bool otherwise) const { return is_null() ? otherwise : boolean(); }
  // From 0 to `largest`.
  std::int32_t id(std::size_t largest) const {
    if (!value_.is_number_unsigned()) refuse("must be an id, a whole number from 0 on");
    const auto number = value_.get<std::uint64_t>();
    if (number > largest) refuse("is " + std::to_string(number) + ", far more than there are tokens");
    return static_cast<std::int32_t>(number);
  }

 private:
  const nlohmann::json& value_;
  std::string where_;
  std::string name_;  // with dots from the top
};

}  // namespace tritonrl::text
