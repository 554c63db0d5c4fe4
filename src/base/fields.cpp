#include "base/fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace tritonrl::base {
namespace {

void check_choice(const std::string& text, std::span<const char* const> choices, const std::string& path) {
  if (choices.empty()) return;
  if (std::any_of(choices.begin(), choices.end(), [&](const char* choice) { return text == choice; })) return;
  std::string all;
  for (const char* choice : choices) all += (all.empty() ? "" : ", ") + std::string(choice);
  throw FieldError(path, "is '" + text.substr(0, 40) + "'; choose one of " + all);
}

std::string bound(double value) {
  return std::trunc(value) == value && std::abs(value) < 0x1p53 ? std::to_string(static_cast<std::int64_t>(value))
                                                                : Json(value).dump();
}

void check_notes(const Json& json, const FieldNotes& notes, const std::string& path) {
  if (json.is_string()) check_choice(json.text(), notes.choices, path);
  if (json.is_array() && !notes.choices.empty()) {
    for (const Json& item : json) {
      if (item.is_string()) check_choice(item.text(), notes.choices, path);
    }
  }
  if (json.is_number() && (json.real() < notes.least || json.real() > notes.most)) {
    std::string bounds;
    if (std::isfinite(notes.least)) bounds += " at least " + bound(notes.least);
    if (std::isfinite(notes.most))
      bounds += std::string(bounds.empty() ? "" : " and") + " at most " + bound(notes.most);
    throw FieldError(path, "is " + json.dump() + "; it must be" + bounds);
  }
}

}  // namespace

void put_field(const Json& json, void* value, const FieldType& type, const FieldNotes& notes, const std::string& path) {
  type.read(json, value, path);
  check_notes(json, notes, path);
}

namespace fields_detail {
namespace {

class Writer : public FieldVisitor {
 public:
  explicit Writer(bool key) : key_(key) {}
  Json take() { return std::move(out_); }

 protected:
  void visit(const char* name, void* value, const FieldType& type, const FieldNotes& notes) override {
    if (key_ ? !notes.keyed : notes.presence == Presence::kWhereSet && type.empty(value)) return;
    out_.items().push_back({name, key_ && type.visit != nullptr ? Json(key_of(value, type.visit)) : type.write(value)});
  }

 private:
  bool key_;
  Json out_ = Json::object();
};

class Reader : public FieldVisitor {
 public:
  Reader(const Json& json, const std::string& path, Unknown unknown, bool partial)
      : json_(json), path_(path), unknown_(unknown), partial_(partial) {
    if (!json.is_object()) throw FieldError(path.empty() ? "it" : path, "is not an object");
  }
  bool writes() const override { return false; }

  void check_names() const {
    if (unknown_ == Unknown::kIgnore) return;
    for (const Json::Member& member : json_.items()) {
      if (!known_.contains(member.name)) throw FieldError(member_path(path_, member.name), "is no field that is known");
    }
  }

 protected:
  void visit(const char* name, void* value, const FieldType& type, const FieldNotes& notes) override {
    known_.insert(name);
    const Json* found = json_.find(name);
    const std::string path = member_path(path_, name);
    if (found == nullptr) {
      if (partial_ || notes.presence != Presence::kAlways) return;
      throw FieldError(path, "is missing");
    }
    if (type.visit != nullptr) {
      read_struct(*found, value, type.visit, path, unknown_, partial_);
    } else {
      put_field(*found, value, type, notes, path);
    }
  }

 private:
  const Json& json_;
  const std::string& path_;
  Unknown unknown_;
  bool partial_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace

Json write_struct(void* value, Visit visit) {
  Writer writer(/*key=*/false);
  visit(value, writer);
  return writer.take();
}

void read_struct(const Json& json, void* value, Visit visit, const std::string& path, Unknown unknown, bool partial) {
  Reader reader(json, path, unknown, partial);
  visit(value, reader);
  reader.check_names();
}

std::string key_of(void* value, Visit visit) {
  Writer writer(/*key=*/true);
  visit(value, writer);
  return writer.take().dump();
}

std::string member_path(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

std::string element_path(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

const Json::Array& array_of(const Json& json, const std::string& path) {
  if (!json.is_array()) throw FieldError(path, "is not a list");
  return json.elements();
}

const Json::Object& object_of(const Json& json, const std::string& path) {
  if (!json.is_object()) throw FieldError(path, "is not an object");
  return json.items();
}

void refuse_length(std::size_t wanted, const std::string& path) {
  throw FieldError(path, "has not " + std::to_string(wanted) + " elements");
}

Json write_truth(const void* value) {
  return *static_cast<const bool*>(value);
}
Json write_text(const void* value) {
  return *static_cast<const std::string*>(value);
}
Json write_path(const void* value) {
  return static_cast<const std::filesystem::path*>(value)->string();
}
Json write_real(const void* value) {
  return *static_cast<const double*>(value);
}

// As few digits as tell the float, instead of those of the double that it becomes in JSON.
Json write_float(const void* value) {
  const float held = *static_cast<const float*>(value);
  if (!std::isfinite(held)) return Json();
  std::array<char, 32> digits;
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), held);
  double out = 0;
  std::from_chars(digits.data(), written.ptr, out);
  return out;
}

void read_truth(const Json& json, void* value, const std::string& path) {
  if (!json.is_boolean()) throw FieldError(path, "is not true or false");
  *static_cast<bool*>(value) = json.boolean();
}

void read_text(const Json& json, void* value, const std::string& path) {
  if (!json.is_string()) throw FieldError(path, "is not a string");
  *static_cast<std::string*>(value) = json.text();
}

void read_path(const Json& json, void* value, const std::string& path) {
  if (!json.is_string()) throw FieldError(path, "is not a string");
  *static_cast<std::filesystem::path*>(value) = json.text();
}

// null stands for what no number was: JSON has no NaN.
void read_real(const Json& json, void* value, const std::string& path) {
  if (!json.is_number() && !json.is_null()) throw FieldError(path, "is neither a number nor null");
  *static_cast<double*>(value) = json.is_null() ? std::nan("") : json.real();
}

void read_float(const Json& json, void* value, const std::string& path) {
  double wide = 0;
  read_real(json, &wide, path);
  *static_cast<float*>(value) = static_cast<float>(wide);
}

std::int64_t read_signed(const Json& json, std::int64_t least, std::int64_t most, const std::string& path) {
  const bool fits = json.kind() == Json::Kind::kInteger ||
                    (json.kind() == Json::Kind::kUnsigned && std::in_range<std::int64_t>(json.natural()));
  if (!fits || json.integer() < least || json.integer() > most)
    throw FieldError(path, "is not a whole number in range");
  return json.integer();
}

std::uint64_t read_unsigned(const Json& json, std::uint64_t most, const std::string& path) {
  if (!json.is_number_unsigned() || json.natural() > most) throw FieldError(path, "is not a whole number in range");
  return json.natural();
}

std::size_t read_enum(const Json& json, std::span<const char* const> names, const std::string& path) {
  if (!json.is_string()) throw FieldError(path, "is not a string");
  const auto found = std::find_if(names.begin(), names.end(), [&](const char* name) { return json.text() == name; });
  if (found == names.end()) throw FieldError(path, "has the unknown value '" + json.text().substr(0, 40) + "'");
  return static_cast<std::size_t>(found - names.begin());
}

Json Type<std::set<std::string>>::write(const void* value) {
  Json::Array out;
  for (const std::string& item : *static_cast<const std::set<std::string>*>(value)) out.emplace_back(item);
  return out;
}

void Type<std::set<std::string>>::read(const Json& json, void* value, const std::string& path) {
  auto& held = *static_cast<std::set<std::string>*>(value);
  held.clear();
  std::size_t index = 0;
  for (const Json& item : array_of(json, path)) {
    std::string text;
    read_text(item, &text, element_path(path, index++));
    held.insert(std::move(text));
  }
}

}  // namespace fields_detail
}  // namespace tritonrl::base
