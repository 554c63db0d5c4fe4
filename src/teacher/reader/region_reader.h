#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "teacher/graph/graph.h"
#include "teacher/reader/imports.h"
#include "teacher/reader/recipe_statements.h"
#include "teacher/reader/rewrite.h"

namespace tritonrl::teacher {

// What readers of one text share.
struct ReadingContext {
  const Facts& facts;
  const Imports& imports;
  const RewriteOptions& options;
  // Names of the function at hand that may be two for one tensor (a = b): what changes one in place changes the other,
  // so such statements are left alone.
  std::set<std::string, std::less<>> aliased = {};
  // Names of the function at hand that only ever hold tensors which it made itself: `x += y` is `x = x + y` for them.
  // An argument's tensor is the caller's too.
  std::set<std::string, std::less<>> owned = {};
  // Calls of the function at hand that must change their operand in place (visible_changes.h).
  std::set<const syntax::SyntaxNode*> visible_changes = {};
  // Attributes that the text reads outside its constructors, where it is more than a normalisation that updates them
  // (updated_statistics.cpp); made when it is first asked for.
  mutable std::optional<std::set<std::string, std::less<>>> read_statistics = {};
  const syntax::SyntaxNode* module = nullptr;  // the text
  // What expressions were bound to. Each is asked about again by every region that may begin before it, and by those
  // who count what torch is left with.
  mutable std::unordered_map<const syntax::SyntaxNode*, std::optional<Bound>> bounds = {};
};

// Grows one region: expressions, and assignments one after the other, become steps of a graph. What cannot be part of
// it is a leaf.
class RegionReader {
 public:
  explicit RegionReader(const ReadingContext& context) : context_(context) {}

  // An expression as a step; -1: it cannot be part of this region, which is as it was before.
  // It must be an operator itself, not a leaf. `target`: the name that its value is given to; what changes another
  // name's tensor in place is no part of a region.
  int read_operator(const syntax::SyntaxNode& expression, std::string_view target = {});
  // From now on the name means this step.
  void assign(std::string_view name, int step);
  bool assigns(std::string_view name) const { return names_.contains(name); }
  // The step that it means; -1: none.
  int assigned(std::string_view name) const;

  // A call of a module of torch.nn whose only operand is called `x`, for a class of its own.
  int read_module(const Bound& bound, const std::string& operand, const Fact& fact);

  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }
  const std::string& spoken(int step) const { return spoken_[static_cast<std::size_t>(step)]; }
  void say(int step, std::string text);
  // The plan of an expression's region: what is spoken of its step, or the lines up to it.
  std::string plan_of(int step) const;
  // PlanForm::kLines: of the statements that were read, the last of which returns `returned`; -1: none does.
  std::string plan_lines(int returned) const;

  // The operator that an expression is, whether or not it can be part of a kernel; null: none. Lives as long as the
  // context.
  const Bound* bind(const syntax::SyntaxNode& expression) const;

 private:
  std::optional<Bound> bind_anew(const syntax::SyntaxNode& expression) const;
  int read(const syntax::SyntaxNode& expression);
  const syntax::SyntaxNode* number_inside(const syntax::SyntaxNode& expression) const;
  bool makes_real(const syntax::SyntaxNode& expression, const syntax::SyntaxNode& number) const;
  int read_leaf(const syntax::SyntaxNode& expression, bool channel = false);
  void say_operator(int step, std::string text);
  bool must_change(const syntax::SyntaxNode& expression) const;
  bool updates_what_is_read(const Bound& bound) const;
  int read_bound(const Bound& bound, bool shallow, std::string_view target = {});
  int read_unbiased(const syntax::SyntaxNode& call, const Bound& bound);
  int read_source(const Bound& bound);
  bool add_whole(const Bound& bound, const Bound::Argument& argument, const syntax::SyntaxNode* node,
                 std::string* said);
  int read_recipe(const Bound& bound, const Recipe& recipe, bool shallow);
  int read_argument(const Bound& bound, const Bound::Argument& argument, bool shallow);
  int read_attribute(const Bound& bound, const Bound::Argument& argument, bool channel);
  int reduce_all(int value, std::string_view how);
  bool changes_another(const Bound& bound, std::string_view target) const;
  bool depends_on_assigned(const syntax::SyntaxNode& expression) const;
  std::optional<RowSpec> rows_of(const Bound& bound, const Shape& shape) const;

  const ReadingContext& context_;
  Graph graph_;
  std::map<std::string, int, std::less<>> names_;
  std::vector<std::string> spoken_;  // by step
  struct PlanLine {
    int step;
    bool named;  // by the text; else "_1", "_2", …
    std::string name, text;
  };
  std::vector<PlanLine> plan_lines_;  // PlanForm::kLines
  int own_operand_ = -1;              // read_module: the step of its operand,
  Fact own_fact_;                     // and what it is
};

// Whether a name is in a list such as "weight, bias".
bool lists(std::string_view names, std::string_view name);

}  // namespace tritonrl::teacher
