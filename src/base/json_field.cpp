#include "base/json_field.h"

#include "base/error.h"

namespace tritonrl::base {
namespace {

std::string shortened(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  const std::string text = value.dump();
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

}  // namespace

Json parse_foreign_object(std::string_view text, const ForeignJson& file) {
  const auto fail = [&](const std::string& problem) { throw UserError(file.part, file.where + ": " + problem); };
  if (file.longest > 0 && text.size() > file.longest) fail("is too long for what it should be");
  Json object;
  try {
    object = Json::parse_foreign(text, file.deepest, file.names);
  } catch (const JsonError& error) {
    fail(error.what());
  }
  if (!object.is_object()) fail("is not a JSON object");
  return object;
}

void JsonField::refuse(const std::string& problem) const {
  throw UserError(part_, where_ + ": " + (path_.empty() ? "" : path_ + " ") + problem);
}

void JsonField::refuse_value(const std::string& expected) const {
  refuse(is_null() ? "is missing; expected " + expected : "is " + shortened(*value_) + "; expected " + expected);
}

std::string JsonField::path_to(std::string_view name) const {
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

JsonField JsonField::operator[](std::string_view name) const {
  static const Json nothing{};
  if (!value_->is_object()) refuse_value("an object");
  const Json* found = value_->find(name);
  return {found == nullptr ? nothing : *found, *this, path_to(name)};
}

std::vector<JsonField> JsonField::members() const {
  if (!value_->is_object()) refuse_value("an object");
  std::vector<JsonField> all;
  all.reserve(value_->size());
  for (const Json::Member& member : value_->items()) all.push_back({member.value, *this, path_to(member.name)});
  return all;
}

JsonField JsonField::element(std::size_t index) const {
  return {value_->at(index), *this, path_ + "[" + std::to_string(index) + "]"};
}

std::size_t JsonField::elements() const {
  if (!value_->is_array()) refuse_value("a list");
  return value_->size();
}

std::int64_t JsonField::integer(std::int64_t least, std::int64_t most) const {
  const bool fits = value_->is_number_integer() &&
                    (!value_->is_number_unsigned() || value_->natural() <= static_cast<std::uint64_t>(INT64_MAX));
  if (!fits || value_->integer() < least || value_->integer() > most)
    refuse_value("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return value_->integer();
}

double JsonField::number(double least, double most) const {
  if (!value_->is_number() || !(value_->real() >= least && value_->real() <= most))
    refuse_value("a number from " + Json(least).dump() + " to " + Json(most).dump());
  return value_->real();
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) refuse_value("true or false");
  return value_->boolean();
}

const std::string& JsonField::text() const {
  if (!value_->is_string()) refuse_value("a string");
  return value_->text();
}

std::vector<std::string> JsonField::texts() const {
  if (!value_->is_array()) refuse_value("a list of strings");
  std::vector<std::string> all;
  for (const Json& item : *value_) {
    if (!item.is_string()) refuse("holds " + shortened(item) + "; expected strings");
    all.push_back(item.text());
  }
  return all;
}

}  // namespace tritonrl::base
