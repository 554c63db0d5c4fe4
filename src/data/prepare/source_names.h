#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace tritonrl::data {

// A statement at the top of a file, by the names that it defines and needs.
struct TopStatement {
  const syntax::SyntaxNode* node = nullptr;
  std::vector<std::string> bound;     // names that it defines
  std::set<std::string> used;         // names that it reads when it or what it defines runs
  std::set<std::string> annotations;  // names that only annotations read
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
