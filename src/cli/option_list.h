#pragma once

#include <string>
#include <vector>

#include "base/fields.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// One option of a verb as others than the command line need it: completion, the page of all options.
struct ListedOption {
  std::string name;  // "--min-work-share"; "FILE" where it is told by its place
  std::string help, type, default_value;
  std::vector<std::string> choices;
  bool flag = false, required = false, several = false, placed = false;
  void fields(base::FieldVisitor& field) {
    TRL_FIELDS(field, name, help, type, default_value, choices, flag, required, several, placed);
  }
};

struct ListedVerb {
  std::string name, help;
  std::vector<ListedOption> options;
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, name, help, options); }
};

struct OptionList {
  std::vector<ListedVerb> verbs;
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, verbs); }
};

// Of the verbs that the program executes itself, in their order, but for those in no group, which are for programs
// alone.
OptionList option_list(const CLI::App& app);

// What `more` knows beyond `list`: verbs, and options of verbs that are in both.
void add_options(OptionList& list, OptionList more);

}  // namespace tritonrl::cli
