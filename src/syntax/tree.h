#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tritonrl::syntax {

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

// Whether two words are the same. Kinds and fields are asked for by literals, millions of times: always inlined, it is
// a comparison of the length and of one or two machine words.
[[gnu::always_inline]] inline bool same_word(std::string_view held, std::string_view wanted) {
  return held.size() == wanted.size() &&
         (wanted.empty() || std::memcmp(held.data(), wanted.data(), wanted.size()) == 0);
}

// A node of Python's own syntax tree (module `ast`): the class name and the fields are those of its documentation.
class SyntaxNode {
 public:
  std::string_view kind;  // "Call", "FunctionDef", "Add"; lives as long as the tree
  std::vector<std::pair<std::string_view, SyntaxValue>> fields;
  int line = 0, column = 0;          // from 1, and in UTF-8 bytes from 0; 0 and 0 where the node has no place
  int end_line = 0, end_column = 0;  // one past its last byte

  [[gnu::always_inline]] bool is(std::string_view name) const { return same_word(kind, name); }
  // The field; none: it is not there.
  [[gnu::always_inline]] const SyntaxValue* field(std::string_view name) const {
    for (const auto& [key, value] : fields) {
      if (same_word(key, name)) return &value;
    }
    return nullptr;
  }
  // The field as a node, a list of nodes or a text; nullptr or empty where it is something else.
  [[gnu::always_inline]] const SyntaxNode* node(std::string_view name) const { return as_node(field(name)); }
  [[gnu::always_inline]] const std::vector<const SyntaxNode*>& nodes(std::string_view name) const {
    return as_nodes(field(name));
  }
  [[gnu::always_inline]] std::string_view text(std::string_view name) const { return as_text(field(name)); }

 private:
  static const SyntaxNode* as_node(const SyntaxValue* value) {
    const auto* held = value == nullptr ? nullptr : std::get_if<const SyntaxNode*>(value);
    return held == nullptr ? nullptr : *held;
  }
  static const std::vector<const SyntaxNode*>& as_nodes(const SyntaxValue* value);
  static std::string_view as_text(const SyntaxValue* value) {
    const auto* held = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return held == nullptr ? std::string_view() : *held;
  }
};

// A parsed text; owns its nodes.
class SyntaxTree {
 public:
  struct Storage;
  explicit SyntaxTree(std::unique_ptr<Storage> storage);
  SyntaxTree(SyntaxTree&&) noexcept;
  SyntaxTree& operator=(SyntaxTree&&) noexcept;
  ~SyntaxTree();

  const SyntaxNode& root() const;  // of kind "Module"

 private:
  std::unique_ptr<Storage> storage_;
};

}  // namespace tritonrl::syntax
