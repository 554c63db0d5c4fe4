#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "abstract/operator_names.h"
#include "program/dtype.h"
#include "syntax/tree.h"

// What is known of Python's values when a text is followed without being run: constants, modules and their parts are
// known exactly, tensors only as such. Everything here lives in the Evaluator that made it.
namespace tritonrl::abstract {

enum class ValueKind : std::uint8_t {
  kUnknown,  // anything
  kPlain,    // no tensor, but of unknown value: a size, a flag, a dtype
  kTensor,
  kNone,
  kBool,
  kInt,
  kFloat,
  kText,
  kList,      // lists, tuples, sets
  kDict,      // by text; see Evaluator::key_of for others
  kName,      // of something outside the text: "torch.nn.Conv2d", "builtins.range"
  kObject,    // a module or another instance
  kClass,     // of the text
  kFunction,  // of the text, perhaps bound to an object
  kPartial,   // functools.partial
  kSuper,     // super()
};

// Where a text is followed with TensorRules; otherwise tensors are known only as such.
struct TensorType {
  program::DType dtype = program::DType::kFloat32;
  std::vector<std::int64_t> shape;
  bool operator==(const TensorType&) const = default;
};

struct Class;
struct Function;
struct List;
struct NameTable;
struct Object;
struct Partial;

struct Value {
  ValueKind kind = ValueKind::kUnknown;
  std::int64_t integer = 0;    // of kBool and kInt
  double number = 0;           // of kFloat
  std::string_view text = {};  // of kText and kName; of kUnknown: the name it was read by
  List* list = nullptr;        // of kList; of kPlain: the bounds of a slice, where they are kept
  NameTable* dict = nullptr;   // of kDict
  Object* object = nullptr;    // of kObject and kSuper; of kFunction: what it is bound to
  Class* type = nullptr;       // of kClass; of kSuper: the class whose bases are meant
  Function* function = nullptr;
  Partial* partial = nullptr;
  const TensorType* tensor_type = nullptr;  // of kTensor; null: not known

  bool is(ValueKind other) const { return kind == other; }

  static Value plain() { return {.kind = ValueKind::kPlain}; }
  static Value tensor(const TensorType* type = nullptr) { return {.kind = ValueKind::kTensor, .tensor_type = type}; }
  static Value none() { return {.kind = ValueKind::kNone}; }
  static Value boolean(bool value) { return {.kind = ValueKind::kBool, .integer = value ? 1 : 0}; }
  static Value whole(std::int64_t value) { return {.kind = ValueKind::kInt, .integer = value}; }
  static Value real(double value) { return {.kind = ValueKind::kFloat, .number = value}; }
  static Value words(std::string_view value) { return {.kind = ValueKind::kText, .text = value}; }
  static Value name(std::string_view path) { return {.kind = ValueKind::kName, .text = path}; }
  static Value unknown(std::string_view name = {}) { return {.text = name}; }
  static Value of(Object* object) { return {.kind = ValueKind::kObject, .object = object}; }
};

// Names in the order of their first assignment.
struct NameTable {
  std::vector<std::pair<std::string_view, Value>> entries;
  bool open = false;  // of a dict: more entries than those listed

  const Value* find(std::string_view name) const;
  void set(std::string_view name, const Value& value);
  void erase(std::string_view name);
};

struct List {
  std::vector<Value> items;
  bool open = false;   // the items stand for an unknown number of their like
  bool tuple = false;  // or torch.Size
  bool lazy = false;   // no list to Python: a range, a zip, a generator, a set
};

enum class Container : std::uint8_t { kNone, kSequential, kList, kDict };

struct Object {
  Class* type = nullptr;             // none: of a class outside the text
  std::string_view outside;          // that class, or the first such base: "torch.nn.Conv2d"
  const OperatorName* op = nullptr;  // what calling it computes, where the table knows
  Container container = Container::kNone;
  NameTable attributes;
  List items;   // of a container
  Value layer;  // nn.TransformerEncoder: the layer that is repeated,
  Value times;  // so many times
};

struct Scope {
  NameTable names;
  Scope* parent = nullptr;
  Class* owner = nullptr;  // whose method runs here
  Object* self = nullptr;
  std::optional<Value> result;
  List* yielded = nullptr;
};

struct Class {
  std::string_view name;
  Scope* scope = nullptr;    // where it was defined
  std::vector<Value> bases;  // kClass, kName, or unknown
  NameTable members;
};

struct Function {
  const syntax::SyntaxNode* node = nullptr;  // FunctionDef, AsyncFunctionDef or Lambda
  Scope* scope = nullptr;                    // where it was defined
  Class* owner = nullptr;
  bool is_static = false, is_class_method = false, is_property = false;
};

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> keywords;
  bool open = false;  // *args or **kwargs of unknown length came last

  const Value* keyword(std::string_view name) const;
  // By place or by name.
  const Value* get(std::size_t place, std::string_view name) const;
};

struct Partial {
  Value callee;
  Arguments arguments;
};

// Whether it is true; none: the text does not tell.
std::optional<bool> truth_of(const Value& value);
bool same_constant(const Value& a, const Value& b);
// A number, a text, a flag or None, known exactly.
bool is_constant(const Value& value);
// A tensor, or a list that holds one.
bool holds_tensor(const Value& value);
// One value for two that a place may hold: the one that tells more (a module, a tensor, rather than None), and of two
// different constants neither.
Value either(const Value& a, const Value& b);

}  // namespace tritonrl::abstract
