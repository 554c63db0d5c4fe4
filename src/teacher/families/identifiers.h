#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/tree.h"
#include "teacher/families/names.h"

namespace tritonrl::teacher {

// What the names of a module are, and which of them may be others without changing what it computes. Refers to the
// tree.
class Identifiers {
 public:
  using Words = std::set<std::string_view>;

  Identifiers(const syntax::SyntaxNode& module, std::string_view entry_point);

  // In the order of their first appearance.
  const std::vector<std::pair<std::string_view, NameRole>>& names() const { return order_; }
  // The same, attributes and variables of one name each in their place.
  const std::vector<std::pair<std::string_view, NameRole>>& uses() const { return uses_; }
  // Of those, the attributes that mean nothing but what self holds: whatever else has the same name is another thing.
  bool is_apart(std::string_view name) const { return held_.contains(name) && !of_classes_.contains(name); }
  // Others are torch's, or come about where nobody sees them.
  bool is_own_attribute(std::string_view name) const { return held_.contains(name) || of_classes_.contains(name); }
  const Words& all() const { return all_; }
  bool is_key(const syntax::SyntaxNode* constant) const { return keys_.contains(constant); }
  bool is_registered(const syntax::SyntaxNode* constant) const { return registered_.contains(constant); }
  bool is_others_keyword(const syntax::SyntaxNode* keyword) const { return others_keywords_.contains(keyword); }

  // Whatever it names.
  bool may_change(std::string_view name) const;
  // Where it is an attribute, or where it is anything else.
  bool may_change(std::string_view name, NameRole role) const;
  bool may_name_entry_point() const { return !nothing_ && !kept_.contains(entry_point_); }

 private:
  enum class Callee : std::uint8_t { kOwn, kOthers, kUnknown };

  void define(std::string_view name, NameRole role);
  void find_imported(const syntax::SyntaxNode& import);
  void find_keys(const syntax::SyntaxNode& function);
  void look(const syntax::SyntaxNode& node);
  bool asks_for_known(const syntax::SyntaxNode& call) const;
  Callee callee_of(const syntax::SyntaxNode& call) const;
  void look_at_keywords(const syntax::SyntaxNode& call);

  std::string_view entry_point_;
  Words own_, methods_, called_, imported_, of_torch_, all_, defined_, kept_, attributes_;
  Words others_attributes_;              // of values that are not self
  Words meant_elsewhere_;                // keywords of functions that are not the file's; names of attributes in texts
  Words held_, variables_, of_classes_;  // self.name = …; every other definition; in the body of a class
  std::set<const syntax::SyntaxNode*> keys_;  // of the constructor's arguments
  std::set<const syntax::SyntaxNode*> registered_, others_keywords_;
  std::vector<const syntax::SyntaxNode*> calls_;
  std::vector<std::pair<std::string_view, NameRole>> order_, uses_;
  bool no_attributes_ = false, nothing_ = false, takes_any_keyword_ = false, derives_from_layer_ = false;
  int asked_by_name_ = 0;  // uses of getattr and its like that may reach any attribute
};

// Whether the name, attribute or element is assigned to.
bool is_stored(const syntax::SyntaxNode& node);

// The text by which a call names an attribute of its module, as in self.register_buffer('name', …); nullptr: it does
// not.
const syntax::SyntaxNode* registered_text(const syntax::SyntaxNode& call);

}  // namespace tritonrl::teacher
