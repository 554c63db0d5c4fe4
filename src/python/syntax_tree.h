#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tritonrl::python {

class SyntaxNode;

// What a field of a node holds. `Constant` nodes hold theirs in the field "value"; one of bytes, a complex number or an
// integer beyond 64 bits is given as an OtherConstant.
struct NoneValue {
  bool operator==(const NoneValue&) const = default;
};
struct OtherConstant {
  std::string_view kind;  // "bytes", "complex", "int", "ellipsis"
  std::string_view text;  // as Python's unparse writes it; lives as long as the tree
  bool operator==(const OtherConstant&) const = default;
};
using SyntaxValue = std::variant<NoneValue, bool, std::int64_t, double, std::string, OtherConstant, const SyntaxNode*,
                                 std::vector<const SyntaxNode*>, std::vector<std::string>>;

// A node of Python's own syntax tree (module `ast`): the class name and the fields are those of its documentation.
class SyntaxNode {
 public:
  std::string_view kind;  // "Call", "FunctionDef", "Add"; lives as long as the tree
  std::vector<std::pair<std::string_view, SyntaxValue>> fields;
  int line = 0, column = 0;          // from 1, and in UTF-8 bytes from 0; 0 and 0 where the node has no place
  int end_line = 0, end_column = 0;  // one past its last byte

  bool is(std::string_view name) const { return kind == name; }
  // The field; none: it is not there.
  const SyntaxValue* field(std::string_view name) const;
  // The field as a node, a list of nodes or a text; nullptr or empty where it is something else.
  const SyntaxNode* node(std::string_view name) const;
  const std::vector<const SyntaxNode*>& nodes(std::string_view name) const;
  std::string_view text(std::string_view name) const;
};

}  // namespace tritonrl::python
