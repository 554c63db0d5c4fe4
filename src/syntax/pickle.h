#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "syntax/tree.h"

namespace tritonrl::syntax {

// The fields of each class of nodes, in the order in which a constructor takes them.
using NodeFields = std::map<std::string, std::vector<std::string>, std::less<>>;

// What a tree's nodes point into.
struct SyntaxTree::Storage {
  std::string bytes;  // the pickle: names of nodes and fields are views of it, or of `names`
  std::shared_ptr<const NodeFields> names;
  std::deque<SyntaxNode> nodes;
  std::deque<std::string> texts;  // of other constants
  const SyntaxNode* root = nullptr;
};

// A syntax tree that Python pickled with protocol 4. Read as data, nothing is called; anything else than nodes, lists
// and constants is a failure.
base::Result<SyntaxTree> tree_from_pickle(std::string bytes, std::shared_ptr<const NodeFields> fields);

}  // namespace tritonrl::syntax
