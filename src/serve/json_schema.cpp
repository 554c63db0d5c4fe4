#include "serve/json_schema.h"

#include <cmath>

namespace tritonrl::serve {
namespace {

using base::FieldNotes;
using base::FieldType;
using base::Json;
using Form = base::FieldType::Form;

Json names_json(std::span<const char* const> names) {
  Json out = Json::array();
  for (const char* name : names) out.push_back(name);
  return out;
}

class SchemaWriter : public base::FieldVisitor {
 public:
  explicit SchemaWriter(Use use) : use_(use) {}

  Json take() {
    Json out = {{"type", "object"}, {"properties", properties_}};
    if (!required_.empty()) out["required"] = required_;
    if (use_ == Use::kRead) out["additionalProperties"] = false;
    return out;
  }

 protected:
  void visit(const char* name, void* value, const FieldType& type, const FieldNotes& notes) override {
    if (use_ == Use::kWritten && notes.presence != base::Presence::kWhereSet) required_.push_back(name);
    properties_[name] = schema(value, type, notes);
  }

 private:
  Json schema(void* value, const FieldType& type, const FieldNotes& notes) const {
    if (type.visit != nullptr) return schema_visited(value, type.visit, use_);
    Json out = Json::object();
    const std::span<const char* const> choices = type.names != nullptr ? type.names() : notes.choices;
    const char* kind = kind_of(type.form);
    // A field that may hold nothing says so by its first value.
    const bool nullable = type.write(value).is_null();
    if (kind != nullptr) out["type"] = nullable ? Json::array({kind, "null"}) : Json(kind);
    if (type.form == Form::kTexts) {
      out["items"] = Json{{"type", "string"}};
      if (!choices.empty()) out["items"]["enum"] = names_json(choices);
    } else if (!choices.empty()) {
      out["enum"] = names_json(choices);
    }
    if (std::isfinite(notes.least)) out["minimum"] = notes.least;
    if (std::isfinite(notes.most)) out["maximum"] = notes.most;
    if (*notes.help != '\0') out["description"] = notes.help;
    return out;
  }

  static const char* kind_of(Form form) {
    switch (form) {
      case Form::kTruth:
        return "boolean";
      case Form::kWhole:
        return "integer";
      case Form::kReal:
        return "number";
      case Form::kText:
        return "string";
      case Form::kTexts:
        return "array";
      case Form::kStruct:
        return "object";
      case Form::kOther:
        return nullptr;
    }
    return nullptr;
  }

  Use use_;
  Json properties_ = Json::object(), required_ = Json::array();
};

}  // namespace

Json schema_visited(void* value, void (*visit)(void*, base::FieldVisitor&), Use use) {
  SchemaWriter writer(use);
  visit(value, writer);
  return writer.take();
}

Json object_of(std::initializer_list<std::pair<const char*, Json>> members) {
  Json out = Json::object();
  for (const auto& [name, value] : members) out[name] = value;
  return out;
}

Json typed(const char* type) {
  return object_of({{"type", type}});
}

Json or_null(const char* type) {
  return object_of({{"type", Json::array({type, "null"})}});
}

Json list_of(Json items) {
  return object_of({{"type", "array"}, {"items", std::move(items)}});
}

Json reference(const std::string& name) {
  return object_of({{"$ref", "#/components/schemas/" + name}});
}

}  // namespace tritonrl::serve
