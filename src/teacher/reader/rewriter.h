#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "syntax/arena.h"
#include "teacher/reader/region_reader.h"
#include "teacher/reader/rewrite.h"
#include "teacher/writer/region_text.h"

namespace tritonrl::teacher {

// Rewrites one text. Use once.
class Rewriter {
 public:
  Rewriter(const syntax::SyntaxNode& module, const Facts& facts, const Imports& imports, std::string_view entry_point,
           const RewriteOptions& options);

  // `complete`: none, soon, if torch is left with something to compute.
  std::optional<Rewritten> run(std::string* why, bool complete = false);

 private:
  using Node = const syntax::SyntaxNode*;
  using Nodes = std::vector<Node>;

  // A statement that gives one name a value, or returns one.
  struct Simple {
    std::string_view target;  // empty: return
    Node value = nullptr;     // of an AugAssign the statement itself
  };
  // Where statements stand: what may run after them.
  struct Place {
    Node function = nullptr;
    std::vector<Node> loops;
  };
  // Statements that must come before the one under construction; null: there is no place for them.
  using Before = Nodes*;

  // rewrite_statements.cpp
  Nodes block(const Nodes& statements, const Place& place);
  std::optional<Simple> simple_of(const syntax::SyntaxNode& statement) const;
  std::size_t region_at(const Nodes& statements, std::size_t at, const Place& place, Nodes& out);
  bool lives_after(std::string_view name, const Nodes& statements, std::size_t behind, const Place& place) const;
  Node statement(const syntax::SyntaxNode& statement, const Place& place, Nodes& out);
  // `callers_see`: what it changes of its arguments; nobody looks at the inputs of the whole.
  Node function(const syntax::SyntaxNode& function, bool callers_see = true);
  void find_names(const syntax::SyntaxNode& function, bool callers_see);
  // rewrite_expressions.cpp
  Node expression(Node node, Before before);
  Node children(const syntax::SyntaxNode& node, Before before);
  bool stays_in_torch(const syntax::SyntaxNode& expression, const RegionReader& reader) const;
  bool defines(std::string_view name) const;
  Node region_call(Graph graph, const std::vector<RegionOutput>& outputs, const std::string& plan, int line,
                   Before before);
  Node argument(const Leaf& leaf, Before before);
  Node without_bias(Node call, std::string_view layer);
  // named_leaves.cpp
  void name_leaves(Graph& graph) const;
  // rewrite_modules.cpp: modules inside containers
  Node with_modules(Node node, bool assigned);
  static bool computes_itself(const Fact* module);
  std::string module_class(const syntax::SyntaxNode& constructor);
  // rewriter.cpp
  std::optional<int> add_kernel(const RegionText& text, const std::string& plan, const Graph& graph, int line);
  std::string solution(const Nodes& statements) const;
  Nodes kept_statements(const Nodes& statements) const;
  Node renamed(Node node);
  std::string fresh_name(const std::string& stem, int& number) const;
  // The node with what `make` gives for a field's name and a child of it; the node itself where all stay as they are.
  template <typename Make>
  Node with_children(Node node, Make make) {
    syntax::SyntaxNode* copy = nullptr;
    const auto changed = [&](std::size_t field) -> syntax::SyntaxValue& {
      if (copy == nullptr) copy = &arena_.copy(*node);
      return copy->fields[field].second;
    };
    for (std::size_t i = 0; i < node->fields.size(); ++i) {
      const auto& [name, value] = node->fields[i];
      if (const auto* child = std::get_if<Node>(&value)) {
        const Node made = make(name, *child);
        if (made != *child) changed(i) = made;
      } else if (const auto* list = std::get_if<Nodes>(&value)) {
        for (std::size_t j = 0; j < list->size(); ++j) {
          const Node made = make(name, (*list)[j]);
          if (made != (*list)[j]) std::get<Nodes>(changed(i))[j] = made;
        }
      }
    }
    return copy == nullptr ? node : copy;
  }

  struct Kernel {
    std::string text;  // with its own names
    std::string plan;
    bool libdevice = false, multiply = false;
  };

  const syntax::SyntaxNode& module_;
  const Facts& facts_;
  std::string entry_point_;
  const RewriteOptions& options_;
  syntax::SyntaxArena arena_;
  const Imports& imports_;
  ReadingContext context_;
  std::vector<Kernel> kernels_;
  std::map<std::string, int> numbers_;  // of kernels, by their text
  std::vector<std::string> classes_;    // texts of classes for modules inside containers
  std::map<std::string, std::string> class_names_;
  std::vector<RegionReport> regions_;
  int temporaries_ = 0;
  int left_in_torch_ = 0;
  bool complete_ = false;
  bool follows_new_ = false;  // with_modules: the module before in the text gives a tensor of its own

  bool gives_up() const { return complete_ && left_in_torch_ > 0; }
};

}  // namespace tritonrl::teacher
