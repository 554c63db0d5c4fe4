#pragma once

#include <string>
#include <vector>

#include "teacher/families/formula.h"
#include "teacher/families/module_template.h"

namespace tritonrl::teacher {

// One use of a template in a file. First plan (before sizes are drawn), then write.
class TemplateExpansion {
 public:
  TemplateExpansion(Page& page, const ModuleTemplate& of)
      : page_(page), of_(of), names_(of.slots.size()), kept_(of.slots.size()) {}

  // Chooses its numbers and says what it needs of the sizes.
  void plan();
  const ModuleTemplate& of() const { return of_; }

  // Its constructor and forward as part of the class. `x`: the name of its first input; empty: its own inputs are asked
  // for. The text of its result.
  std::string write_inside(ClassText& owner, const std::string& x);
  // As a class of its own before Model; the expression that constructs it there.
  std::string write_class(std::string& name_out);
  // The model's inputs that it takes besides x, in order.
  std::vector<std::string> further_inputs(bool first_is_given);

 private:
  void derive();
  void keep_arguments(ClassText& owner);
  void choose_arguments(ClassText& owner, bool own_class);
  void write_lines(const std::vector<TemplateLine>& lines, std::string& out, int indent, ClassText* owner,
                   NameSet& names);
  void plant(const TemplateLine& line, std::string& out, int indent, ClassText* owner, NameSet& names);
  void expand(const Pieces& pieces, std::string& out, Body& body, const Piece* macro);
  const std::string& name(int slot, bool attribute, NameSet& names);
  void add_inputs(ClassText& owner, bool first_is_given);

  Page& page_;
  const ModuleTemplate& of_;
  std::vector<std::string> names_;  // of the slots, once chosen
  std::vector<std::string> kept_;   // of arguments that are attributes too
  bool in_forward_ = false;
  std::vector<std::string> values_;  // of the arguments that are numbers
};

InputKind input_kind(std::string_view word);

}  // namespace tritonrl::teacher
