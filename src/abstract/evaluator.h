#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abstract/abstract_value.h"
#include "abstract/branches.h"
#include "abstract/forward_operators.h"
#include "abstract/tensor_rules.h"

namespace tritonrl::abstract {

// Follows a text as Python would run it, on abstract values, and notes the operators that it meets. Total: what it does
// not understand is an unknown value, and a budget of steps bounds every text.
//   A condition whose truth is plain takes its branch. Otherwise both are followed: the operators of the branch that
//   computes more are kept (the first of equals; one that raises never), and of every name what tells more (either).
//   A loop over a list of known length is unrolled. Otherwise its body is followed once, and its operators are
//   `repeated`.
// With rules tensors have shapes and types, and numbers that come of them are exact; operators are then not noted,
// since what is followed may differ from what is followed without (loops over sizes are unrolled).
class Evaluator {
 public:
  explicit Evaluator(TensorRules* rules = nullptr);

  // Runs the statements of the module itself; nothing is noted.
  void load(const syntax::SyntaxNode& module);
  Scope& globals() { return *globals_; }

  // The budget anew, so that a long constructor leaves enough for forward.
  void refill();

  // Follows without noting operators.
  Value call_quietly(const Value& callee, const Arguments& arguments);
  // Follows and notes.
  Value call(const Value& callee, const Arguments& arguments, int line);

  // Values inside values, calls inside calls, statements inside statements: no deeper than the stack bears.
  static constexpr int kDeepest = 400;

  // The method or class attribute; none: neither the class nor its bases in the text have it.
  const Value* member(const Class& type, std::string_view name) const;
  // The first base outside the text: "torch.nn.Module"; empty: none.
  std::string_view outside_base(const Class& type) const;

  std::vector<ForwardOperator> take_operators() { return std::move(operators_); }

 private:
  enum class Flow : std::uint8_t { kNext, kReturn, kBreak, kContinue, kRaise };
  using Node = syntax::SyntaxNode;
  using Nodes = std::vector<const Node*>;

  // evaluator.cpp: bookkeeping
  bool spend();  // false: the budget is used up
  void note(const OperatorName& op, int line);
  void note_unknown(std::string_view name, int line);
  void charge(std::size_t items);  // for work that grows with a list
  std::string_view keep_text(std::string text);
  Value text_value(std::string text);           // plain where it is too long to be a name
  void touch(List* list);                       // before it changes otherwise than by append
  std::string_view key_of(const Value& value);  // of a dict; empty: not a constant
  Value from_key(std::string_view key) const;
  Value new_list(std::vector<Value> items, bool open = false);
  Value new_dict();
  Object& new_object();
  Scope& new_scope(Scope* parent);
  Value* find_name(std::string_view name);
  void put(NameTable* table, std::string_view name, const Value& value);
  void append(List* list, const Value& value);
  // Follows both and settles as the class comment says; the result says how they ended together.
  template <typename First, typename Second>
  Flow fork(First first, Second second);
  int computing_since(std::size_t mark) const;

  // evaluate_statement.cpp
  Flow run_block(const Nodes& statements, std::size_t from = 0);
  Flow run(const Node& statement);
  Flow run_if(const Node& statement, const Nodes& rest, std::size_t rest_from, bool* took_rest);
  Flow run_for(const Node& statement);
  Flow run_while(const Node& statement);
  Flow run_try(const Node& statement);
  void run_import(const Node& statement);
  void define_function(const Node& statement);
  void define_class(const Node& statement);
  void assign(const Node* target, const Value& value);
  void assign_item(const Node& target, const Value& value);
  std::vector<Value> unpack(const Value& value, std::size_t count);

  // evaluate_expression.cpp
  Value evaluate(const Node* node);
  Value evaluate_inner(const Node& node);
  Value read_constant(const Node& node);
  Value read_name(const Node& node);
  Value formatted(const Node& node);
  Value attribute(const Value& base, std::string_view name, int line);
  // evaluate_operator.cpp
  Value binary(std::string_view op, const Value& left, const Value& right, int line);
  Value unary(const Node& node);
  Value boolean(const Node& node);
  Value compare(const Node& node);
  Value conditional(const Node& node);
  // evaluate_items.cpp
  Value subscript(const Node& node);
  Value slice_of(const Node& node);
  Value sliced(const Value& base, const Value& slice);
  Value item_of(const Value& base, const Value& index, int line);
  Value list_of(const Node& node);
  Value dict_of(const Node& node);
  Value comprehension(const Node& node);
  void run_generators(const Nodes& generators, std::size_t place, const Node& node, Value* result);
  // What an iteration goes through; open: the values stand for an unknown number of their like.
  List items_of(const Value& value);

  // evaluate_call.cpp
  Value evaluate_call(const Node& node);
  Arguments arguments_of(const Node& node);
  Value call_method(const Value& base, std::string_view name, const Arguments& arguments, int line);
  Value call_function(const Function& function, Object* self, const Arguments& arguments);
  Value call_inner(const Value& callee, const Arguments& arguments, int line);
  Value call_unknown(std::string_view name, const Arguments& arguments, int line);
  Value tensor_method(const Value& base, std::string_view name, const Arguments& arguments, int line);
  // container_methods.cpp
  Value list_method(const Value& base, std::string_view name, const Arguments& arguments, int line);
  Value dict_method(const Value& base, std::string_view name, const Arguments& arguments);
  Value text_method(const Value& base, std::string_view name, const Arguments& arguments);
  // bind_arguments.cpp
  void bind(const Function& function, Object* self, const Arguments& arguments, Scope* scope);

  // evaluate_object.cpp
  Value instantiate(Class* type, const Arguments& arguments);
  Value make_outside(std::string_view path, const OperatorName* op, const Arguments& arguments);
  void fill_outside(Object* object, std::string_view path, const Arguments& arguments);
  Value call_object(Object* object, const Arguments& arguments, int line);
  Value call_layer(Object* object, const Arguments& arguments, int line);
  Value object_attribute(Object* object, std::string_view name);
  Value object_method(Object* object, std::string_view name, const Arguments& arguments, int line);
  Value super_method(const Value& base, std::string_view name, const Arguments& arguments, int line);
  Value class_method(const Value& base, std::string_view name, const Arguments& arguments, int line);
  Value children_of(Object* object);
  Value all_modules(Object* object);
  const Value* member(const Class& type, std::string_view name, int depth) const;
  std::string_view outside_base(const Class& type, int depth) const;

  // torch_calls.cpp, builtin_calls.cpp
  Value call_outside(std::string_view path, const Arguments& arguments, int line);
  Value call_torch(std::string_view path, const Arguments& arguments, int line);
  Value call_builtin(std::string_view name, const Arguments& arguments, int line);
  Value call_builtin_inner(std::string_view name, const Arguments& arguments, int line);
  Value is_instance(const Arguments& arguments);
  Value has_attribute(const Arguments& arguments);
  Value zip_of(const Arguments& arguments);
  Value range_of(const Arguments& arguments);
  // exact_builtins.cpp: what is only known on tensors of known shape, where every number matters
  std::optional<Value> exact_builtin(std::string_view name, const Arguments& arguments, int line);
  std::optional<Value> exact_sum(const List& items, const Value& start, int line);

  TensorRules* rules_ = nullptr;
  std::deque<std::string> texts_;
  std::deque<List> lists_;
  std::deque<NameTable> dicts_;
  std::deque<Object> objects_;
  std::deque<Scope> scopes_;
  std::deque<Class> classes_;
  std::deque<Function> functions_;
  std::deque<Partial> partials_;

  std::vector<ForwardOperator> operators_;
  Branches branches_;
  Scope* globals_ = nullptr;
  Scope* scope_ = nullptr;
  std::vector<const Function*> running_;
  std::vector<std::string_view> star_imports_;
  int steps_left_ = 0;
  int depth_ = 0;
  int quiet_ = 0;
  int repeated_ = 0;
};

}  // namespace tritonrl::abstract
