#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace tritonrl::program {

// Types of a torch operator's arguments and results, as its schema names them.
enum class Type : std::uint8_t {
  kTensor,
  kScalar,
  kInt,
  kSymInt,
  kFloat,
  kBool,
  kString,
  kDType,
  kDevice,
  kLayout,
  kMemoryFormat,
  kGenerator,
};

std::string_view to_string(Type type);  // the schema's spelling: "Tensor", "SymInt", "ScalarType"

struct ValueType {
  Type type = Type::kTensor;
  bool optional = false;        // the whole value may be none: "Tensor?", "int[]?"
  bool list = false;            // "Tensor[]"
  bool optional_items = false;  // items may be none: "Tensor?[]"
  int list_size = -1;           // 2 for "int[2]"; -1 where the schema gives none
  bool aliases = false;         // shares memory with a result (or an argument): "Tensor(a)"
  bool mutated = false;         // is written: "Tensor(a!)"
  bool operator==(const ValueType&) const = default;
};

struct Argument : ValueType {
  std::string name;
  bool keyword_only = false;
  bool has_default = false;

  // An out= argument: written, never read.
  bool is_out() const { return mutated && keyword_only; }
};

struct ResultSpec : ValueType {
  std::string name;  // mostly empty
};

struct Schema {
  std::string name;  // "aten::add.Tensor"
  std::vector<Argument> arguments;
  std::vector<ResultSpec> results;
};

// Reads `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`; nullopt and the reason for anything
// else.
std::optional<Schema> parse_schema(std::string_view text, std::string* why);

// Whether the runner may pass the value to torch for this argument. If not, `why` (may be null) gets the reason.
// As torch does: a Tensor accepts a number (x + 2 is add.Tensor(x, 2)) unless it is written; int[N] accepts one
// integer; float accepts an integer. Narrower than torch: a generator is none, a layout is strided, a dtype is no
// integer code.
bool value_fits(const Value& value, const Argument& argument, std::string* why);

// The call's value of every argument in the schema's order, null where the default holds; nullopt and the reason if the
// call has too many, unknown, doubled or missing arguments. The pointers live as long as the call. Values are not
// looked at.
std::optional<std::vector<const Value*>> bind_arguments(const AtenCall& call, const Schema& schema, std::string* why);

// Arguments and result of the call against the schema: bind_arguments, value_fits for each, and the form of the result
// (a tensor a call did not make, such as an unwanted gradient, is none).
bool call_fits(const AtenCall& call, const Schema& schema, std::string* why);

}  // namespace tritonrl::program
