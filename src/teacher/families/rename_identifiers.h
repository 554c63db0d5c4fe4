#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/arena.h"
#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

struct Renamed {
  const syntax::SyntaxNode* module = nullptr;
  std::vector<std::pair<const syntax::SyntaxNode*, const syntax::SyntaxNode*>> nodes;  // before and after
  std::map<std::string, std::string, std::less<>> names;                               // likewise
  std::map<std::string, std::string, std::less<>> attributes;  // those that are named otherwise than variables are
};

// The same module with other names: of variables, arguments, attributes, own functions and classes, as the seed draws
// them. What it computes stays: a name that torch, an unknown object, a keyword of another's function or a text in
// quotes may mean is kept, and so are `entry_point`, forward and the functions that make inputs. Its nodes are new ones
// of the arena.
Renamed rename_identifiers(const syntax::SyntaxNode& module, std::string_view entry_point, std::uint64_t seed,
                           syntax::SyntaxArena& arena);

// The same with names that say what they name and nothing else: attr1 for attributes, var1 for variables and arguments,
// SIZE1 for constants, helper1 for functions, Class1 for classes, each counted as they come; the entry point is
// `Model`. An attribute and a variable of one name (self.scale = scale) get two; a variable `mean` is counted although
// tensors have a mean, and so is an attribute that is registered by a text. Who learns from modules then need not learn
// to copy names. What `first`, a part of the module, names is counted before the rest; nullptr: there is no such part.
Renamed counted_identifiers(const syntax::SyntaxNode& module, std::string_view entry_point, syntax::SyntaxArena& arena,
                            const syntax::SyntaxNode* first = nullptr);

// The facts of the module before are those of the one after.
Facts renamed_facts(const Facts& facts, const Renamed& renamed);

}  // namespace tritonrl::teacher
