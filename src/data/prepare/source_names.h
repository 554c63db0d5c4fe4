#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace tritonrl::data {

// What a piece of a file reads.
struct ReadNames {
  const syntax::SyntaxNode* node = nullptr;
  std::set<std::string> used;         // names that it reads when it or what it defines runs
  std::set<std::string> annotations;  // names that only annotations read
  std::set<std::string> asked;        // by which it may ask for members: attributes, and texts that are names
  bool asks_for_any = false;          // by a name that it computes
};

// A method that does nothing unless somebody asks for it by its name: neither Python nor torch calls it.
struct OptionalMember : ReadNames {
  std::string name;
};

// A statement at the top of a file, by the names that it defines and needs.
struct TopStatement : ReadNames {       // of a class: what its optional members read is theirs alone
  std::vector<std::string> bound;       // names that it defines
  std::vector<OptionalMember> members;  // of a class
};

// The names of a file. Refers to its tree.
struct SourceNames {
  std::vector<TopStatement> statements;
  std::map<std::string, std::vector<std::size_t>> defined_by;  // name -> statements, in order
};

SourceNames source_names(const syntax::SyntaxNode& module);

// "nn.functional.relu" of an expression that is a dotted name; empty: it is none.
std::string dotted_name(const syntax::SyntaxNode& node);

}  // namespace tritonrl::data
