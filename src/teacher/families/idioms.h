#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::teacher {

// Everything that a module is made of has a name: "template:glu", "operator:relu", "spelling:method", "form:loop". Some
// are held out: no training module ever has them, so that a model can be measured on what it was not shown.
std::span<const std::string_view> held_out_idioms();
bool is_held_out(std::string_view idiom);

// What one module used, and what it may use.
class IdiomUse {
 public:
  explicit IdiomUse(bool held_out_allowed) : held_out_allowed_(held_out_allowed) {}

  bool allowed(std::string_view idiom) const { return held_out_allowed_ || !is_held_out(idiom); }
  bool held_out_allowed() const { return held_out_allowed_; }
  // Where a choice has weights: held-out ones are favoured where they are wanted, and 0 where they are not.
  int weight(std::string_view idiom, int usual) const;
  int held_out_weight(int usual) const { return held_out_allowed_ ? 4 * usual : 0; }
  void note(std::string_view idiom);
  bool has_held_out() const { return has_held_out_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  bool held_out_allowed_, has_held_out_ = false;
  std::vector<std::string> names_;
};

}  // namespace tritonrl::teacher
