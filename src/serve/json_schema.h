#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "base/fields.h"

namespace tritonrl::serve {

enum class Use {
  kWritten,  // of what we write: all fields that are always there are required
  kRead,     // of what we take: none is required, and no other field is known
};

// The JSON schema of a struct by its list of fields. What the list does not tell (the elements of lists and maps) is
// left open.
base::Json schema_visited(void* value, void (*visit)(void*, base::FieldVisitor&), Use use);

template <base::HasFields T>
base::Json schema_of(Use use) {
  T value;
  return schema_visited(&value, base::fields_detail::visit_struct<T>, use);
}

// Pieces of schemas. An object with these members, in this order:
base::Json object_of(std::initializer_list<std::pair<const char*, base::Json>> members);
base::Json typed(const char* type);
base::Json or_null(const char* type);
base::Json list_of(base::Json items);
// A schema by its name among the components of a description.
base::Json reference(const std::string& name);

}  // namespace tritonrl::serve
