#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json.h"
#include "base/result.h"

// One list of fields for each struct that is read, written, keyed or set. The struct names its fields once:
//
//   struct Timing {
//     int trials = 50;
//     std::string target = "h200";
//     void fields(base::FieldVisitor& field) {
//       field("trials", trials, {.help = "timed runs", .least = 1});
//       field("target", target);
//     }
//   };
//
// and from that follow to_json and from_json below, command-line options and configuration files
// (cli/field_options.h), keys and fingerprints (field_key). A struct whose list holds for reading is never changed by
// writing.
namespace tritonrl::base {

enum class Presence : std::uint8_t {
  kAlways,    // written always, and must be there when it is read
  kMayLack,   // written always; a text without it leaves the default
  kWhereSet,  // written where it is not empty (none, "", [], 0, false); a text without it leaves the default
};

struct FieldNotes {
  const char* help = "";
  Presence presence = Presence::kAlways;
  std::span<const char* const> choices = {};  // of a text, or of each text of a list; empty: any
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool keyed = true;             // part of field_key: what a result depends on
  bool settable = true;          // an option of the command line and of configuration files
  const char* option = nullptr;  // its option's name where it is not its own
  bool inverse = false;          // its option is a flag that makes it false: `--no-decontaminate`
};

inline constexpr FieldNotes kMayLack{.presence = Presence::kMayLack};
inline constexpr FieldNotes kWhereSet{.presence = Presence::kWhereSet};

class FieldVisitor;

template <typename T>
concept HasFields = requires(T& value, FieldVisitor& visitor) {
  value.fields(visitor);
};

// An enum whose values 0, 1, … have these names: `std::span<const char* const> enum_names(Enum)` beside it.
template <typename T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
  enum_names(value);
};

template <NamedEnum Enum>
const char* enum_name(Enum value) {
  return enum_names(value)[static_cast<std::size_t>(value)];
}

// What is wrong with a field, and its path: "timing.trials is not a whole number".
class FieldError : public JsonError {
 public:
  FieldError(const std::string& path, const std::string& problem) : JsonError(path + " " + problem) {}
};

// How a field's type is read and written, without knowing the type.
struct FieldType {
  enum class Form : std::uint8_t { kTruth, kWhole, kReal, kText, kTexts, kStruct, kOther };
  Form form;
  Json (*write)(const void* value);
  // FieldError names `path`.
  void (*read)(const Json& json, void* value, const std::string& path);
  bool (*empty)(const void* value);
  void (*visit)(void* value, FieldVisitor& visitor);  // of a struct; null for others
  std::span<const char* const> (*names)();            // of an enum; null for others
};

template <typename T>
const FieldType& field_type();

class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;
  template <typename T>
  void operator()(const char* name, T& value, const FieldNotes& notes = {}) {
    visit(name, &value, field_type<T>(), notes);
  }
  // Whether values are taken from the struct (and not put into it): lists that depend on a value ask.
  virtual bool writes() const { return true; }

 protected:
  virtual void visit(const char* name, void* value, const FieldType& type, const FieldNotes& notes) = 0;
};

namespace fields_detail {

// The words of "a, b, c", one behind the other, each with its end.
template <std::size_t kSize>
struct Names {
  char text[kSize]{};
  constexpr Names(const char (&list)[kSize]) {
    for (std::size_t i = 0, out = 0; i < kSize; ++i) {
      if (list[i] != ' ') text[out++] = list[i] == ',' ? '\0' : list[i];
    }
  }
};
template <Names kNames, typename... T>
void visit_all(FieldVisitor& field, T&... values) {
  const char* name = kNames.text;
  ((field(name, values), name += std::char_traits<char>::length(name) + 1), ...);
}

}  // namespace fields_detail

// Fields that are called like their members and have no notes: TRL_FIELDS(field, trials, target);
#define TRL_FIELDS(field, ...) ::tritonrl::base::fields_detail::visit_all<#__VA_ARGS__>(field, __VA_ARGS__)

enum class Unknown : std::uint8_t { kIgnore, kRefuse };  // what becomes of a name that no field has

namespace fields_detail {

using Visit = void (*)(void*, FieldVisitor&);
Json write_struct(void* value, Visit visit);
void read_struct(const Json& json, void* value, Visit visit, const std::string& path, Unknown unknown, bool partial);
std::string key_of(void* value, Visit visit);

template <typename T>
void visit_struct(void* value, FieldVisitor& visitor) {
  static_cast<T*>(value)->fields(visitor);
}
template <typename T>
void* pointer_to(const T& value) {
  return const_cast<void*>(static_cast<const void*>(&value));
}

}  // namespace fields_detail

template <HasFields T>
Json to_json(const T& value) {
  return fields_detail::write_struct(fields_detail::pointer_to(value), fields_detail::visit_struct<T>);
}

// Puts the fields that `json` has into `value`. FieldError for the first that is wrong; `value` is changed up to it.
// `partial`: none needs to be there.
template <HasFields T>
void read_fields(const Json& json, T& value, const std::string& path = {}, Unknown unknown = Unknown::kIgnore,
                 bool partial = false) {
  fields_detail::read_struct(json, &value, fields_detail::visit_struct<T>, path, unknown, partial);
}

// A text of one JSON object; `what` stands before what is wrong with it: "the pair", "verdict".
template <HasFields T>
Result<T> from_json(std::string_view text, const std::string& what) {
  try {
    const std::optional<Json> json = Json::try_parse(text);
    if (!json) return Failure{what + " is not JSON"};
    T value;
    read_fields(*json, value);
    return value;
  } catch (const FieldError& error) {
    return Failure{what + ": " + error.what()};
  }
}

// One field of this type and these notes. FieldError names `path`.
void put_field(const Json& json, void* value, const FieldType& type, const FieldNotes& notes, const std::string& path);

// One line that two values share if and only if all their keyed fields are equal.
template <HasFields T>
std::string field_key(const T& value) {
  return fields_detail::key_of(fields_detail::pointer_to(value), fields_detail::visit_struct<T>);
}

namespace fields_detail {

Json write_truth(const void*);
Json write_text(const void*);
Json write_path(const void*);
Json write_real(const void*);
Json write_float(const void*);
void read_truth(const Json&, void*, const std::string&);
void read_text(const Json&, void*, const std::string&);
void read_path(const Json&, void*, const std::string&);
void read_real(const Json&, void*, const std::string&);
void read_float(const Json&, void*, const std::string&);
std::int64_t read_signed(const Json&, std::int64_t least, std::int64_t most, const std::string& path);
std::uint64_t read_unsigned(const Json&, std::uint64_t most, const std::string& path);
std::size_t read_enum(const Json&, std::span<const char* const> names, const std::string& path);
const Json::Array& array_of(const Json&, const std::string& path);
const Json::Object& object_of(const Json&, const std::string& path);
[[noreturn]] void refuse_length(std::size_t wanted, const std::string& path);
std::string element_path(const std::string& path, std::size_t index);
std::string member_path(const std::string& path, std::string_view name);

template <typename T>
struct Type;  // one field_type<T>

template <>
struct Type<bool> {
  static constexpr auto kForm = FieldType::Form::kTruth;
  static Json write(const void* value) { return write_truth(value); }
  static void read(const Json& json, void* value, const std::string& path) { read_truth(json, value, path); }
  static bool empty(const void* value) { return !*static_cast<const bool*>(value); }
};
template <>
struct Type<std::string> {
  static constexpr auto kForm = FieldType::Form::kText;
  static Json write(const void* value) { return write_text(value); }
  static void read(const Json& json, void* value, const std::string& path) { read_text(json, value, path); }
  static bool empty(const void* value) { return static_cast<const std::string*>(value)->empty(); }
};
template <>
struct Type<std::filesystem::path> {
  static constexpr auto kForm = FieldType::Form::kText;
  static Json write(const void* value) { return write_path(value); }
  static void read(const Json& json, void* value, const std::string& path) { read_path(json, value, path); }
  static bool empty(const void* value) { return static_cast<const std::filesystem::path*>(value)->empty(); }
};
template <>
struct Type<double> {
  static constexpr auto kForm = FieldType::Form::kReal;
  static Json write(const void* value) { return write_real(value); }
  static void read(const Json& json, void* value, const std::string& path) { read_real(json, value, path); }
  static bool empty(const void* value) { return *static_cast<const double*>(value) == 0; }
};
template <>
struct Type<float> {
  static constexpr auto kForm = FieldType::Form::kReal;
  static Json write(const void* value) { return write_float(value); }
  static void read(const Json& json, void* value, const std::string& path) { read_float(json, value, path); }
  static bool empty(const void* value) { return *static_cast<const float*>(value) == 0; }
};
// Any value: options of another module, say.
template <>
struct Type<Json> {
  static constexpr auto kForm = FieldType::Form::kOther;
  static Json write(const void* value) { return *static_cast<const Json*>(value); }
  static void read(const Json& json, void* value, const std::string&) { *static_cast<Json*>(value) = json; }
  static bool empty(const void* value) { return static_cast<const Json*>(value)->empty(); }
};
template <typename T>
requires std::is_integral_v<T>
struct Type<T> {
  static constexpr auto kForm = FieldType::Form::kWhole;
  static Json write(const void* value) { return *static_cast<const T*>(value); }
  static void read(const Json& json, void* value, const std::string& path) {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_signed_v<T>) {
      *static_cast<T*>(value) = static_cast<T>(read_signed(json, Limits::min(), Limits::max(), path));
    } else {
      *static_cast<T*>(value) = static_cast<T>(read_unsigned(json, Limits::max(), path));
    }
  }
  static bool empty(const void* value) { return *static_cast<const T*>(value) == 0; }
};
template <NamedEnum T>
struct Type<T> {
  static constexpr auto kForm = FieldType::Form::kText;
  static Json write(const void* value) { return enum_name(*static_cast<const T*>(value)); }
  static void read(const Json& json, void* value, const std::string& path) {
    *static_cast<T*>(value) = static_cast<T>(read_enum(json, enum_names(T{}), path));
  }
  static bool empty(const void*) { return false; }
  static std::span<const char* const> names() { return enum_names(T{}); }
};
template <HasFields T>
struct Type<T> {
  static constexpr auto kForm = FieldType::Form::kStruct;
  static Json write(const void* value) { return write_struct(const_cast<void*>(value), visit_struct<T>); }
  static void read(const Json& json, void* value, const std::string& path) {
    read_struct(json, value, visit_struct<T>, path, Unknown::kIgnore, /*partial=*/false);
  }
  static bool empty(const void*) { return false; }
  static void visit(void* value, FieldVisitor& visitor) { visit_struct<T>(value, visitor); }
};
template <typename T>
struct Type<std::optional<T>> {
  static constexpr auto kForm = Type<T>::kForm;
  static Json write(const void* value) {
    const auto& held = *static_cast<const std::optional<T>*>(value);
    return held ? Type<T>::write(&*held) : Json();
  }
  static void read(const Json& json, void* value, const std::string& path) {
    auto& held = *static_cast<std::optional<T>*>(value);
    held.reset();
    if (!json.is_null()) Type<T>::read(json, &held.emplace(), path);
  }
  static bool empty(const void* value) { return !static_cast<const std::optional<T>*>(value)->has_value(); }
};
template <typename T>
struct Type<std::vector<T>> {
  static constexpr auto kForm =
      Type<T>::kForm == FieldType::Form::kText ? FieldType::Form::kTexts : FieldType::Form::kOther;
  static Json write(const void* value) {
    Json::Array out;
    for (const T& item : *static_cast<const std::vector<T>*>(value)) out.push_back(Type<T>::write(&item));
    return out;
  }
  static void read(const Json& json, void* value, const std::string& path) {
    auto& held = *static_cast<std::vector<T>*>(value);
    held.clear();
    for (const Json& item : array_of(json, path)) {
      T& element = held.emplace_back();
      Type<T>::read(item, &element, element_path(path, held.size() - 1));
    }
  }
  static bool empty(const void* value) { return static_cast<const std::vector<T>*>(value)->empty(); }
};
template <typename T, std::size_t kCount>
struct Type<std::array<T, kCount>> {
  static constexpr auto kForm = FieldType::Form::kOther;
  static Json write(const void* value) {
    Json::Array out;
    for (const T& item : *static_cast<const std::array<T, kCount>*>(value)) out.push_back(Type<T>::write(&item));
    return out;
  }
  static void read(const Json& json, void* value, const std::string& path) {
    auto& held = *static_cast<std::array<T, kCount>*>(value);
    const Json::Array& items = array_of(json, path);
    if (items.size() != kCount) refuse_length(kCount, path);
    for (std::size_t i = 0; i < kCount; ++i) Type<T>::read(items[i], &held[i], element_path(path, i));
  }
  static bool empty(const void*) { return false; }
};
template <>
struct Type<std::set<std::string>> {
  static constexpr auto kForm = FieldType::Form::kTexts;
  static Json write(const void* value);
  static void read(const Json& json, void* value, const std::string& path);
  static bool empty(const void* value) { return static_cast<const std::set<std::string>*>(value)->empty(); }
};
template <typename T>
struct Type<std::map<std::string, T>> {
  static constexpr auto kForm = FieldType::Form::kOther;
  static Json write(const void* value) {
    Json out = Json::object();
    for (const auto& [name, item] : *static_cast<const std::map<std::string, T>*>(value))
      out.items().push_back({name, Type<T>::write(&item)});
    return out;
  }
  static void read(const Json& json, void* value, const std::string& path) {
    auto& held = *static_cast<std::map<std::string, T>*>(value);
    held.clear();
    for (const Json::Member& member : object_of(json, path))
      Type<T>::read(member.value, &held[member.name], member_path(path, member.name));
  }
  static bool empty(const void* value) { return static_cast<const std::map<std::string, T>*>(value)->empty(); }
};

}  // namespace fields_detail

template <typename T>
const FieldType& field_type() {
  using Type = fields_detail::Type<T>;
  static constexpr FieldType type = [] {
    FieldType out{Type::kForm, Type::write, Type::read, Type::empty, nullptr, nullptr};
    if constexpr (HasFields<T>) out.visit = Type::visit;
    if constexpr (NamedEnum<T>) out.names = Type::names;
    return out;
  }();
  return type;
}

}  // namespace tritonrl::base
