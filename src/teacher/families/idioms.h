#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::teacher {

// Everything that a module is made of has a name: "template:glu", "operator:relu", "spelling:method", "form:loop". Some
// are held out: no training module ever has them, so that a model can be measured on what it was not shown. Operators
// are apart from the others: what none has shown must be taught, another way of saying what is known may be understood.
std::span<const std::string_view> held_out_idioms();
bool is_held_out(std::string_view idiom);

// Those that are held out, by their kinds.
struct HeldOut {
  bool idioms = false;     // forms, spellings, templates
  bool operators = false;  // "operator:…"
  bool of(std::string_view idiom) const { return idiom.starts_with("operator:") ? operators : idioms; }
  bool any() const { return idioms || operators; }
};

// What one module used, and what it may use.
class IdiomUse {
 public:
  explicit IdiomUse(HeldOut wanted) : wanted_(wanted) {}

  bool allowed(std::string_view idiom) const { return wanted_.of(idiom) || !is_held_out(idiom); }
  bool held_out_idioms_allowed() const { return wanted_.idioms; }
  // Where a choice has weights: held-out ones are favoured where they are wanted, and 0 where they are not.
  int weight(std::string_view idiom, int usual) const;
  int held_out_operator_weight(int usual) const { return wanted_.operators ? 4 * usual : 0; }
  int held_out_template_weight(int usual) const { return wanted_.idioms ? 4 * usual : 0; }
  void note(std::string_view idiom);
  const HeldOut& held_out() const { return used_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  HeldOut wanted_, used_;
  std::vector<std::string> names_;
};

}  // namespace tritonrl::teacher
