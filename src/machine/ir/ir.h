#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "machine/ir/type.h"

namespace tritonrl::machine {

// Triton IR in memory: what reader.h makes of the text and lower.h turns into steps. Plain data.

// An index into Function::values.
using ValueId = std::int32_t;

// arith.constant's dense<...>: the bits of each element, one entry if all are equal.
struct Dense {
  std::vector<std::uint64_t> bits;
  bool splat = true;
  bool operator==(const Dense&) const = default;
};

// monostate: a unit attribute, present without a value. Enumerations (predicates, atomic kinds, axes, rounding,
// precision, symbols, padding) are text.
using Attribute =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>, Dense>;

struct Operation;

struct Block {
  std::vector<ValueId> arguments;
  std::vector<Operation> operations;
};

struct Region {
  std::vector<Block> blocks;
};

struct Successor {
  int block = 0;  // index into the region's blocks
  std::vector<ValueId> arguments;
};

struct Operation {
  std::string name;               // "tt.load"
  std::vector<ValueId> operands;  // flat, in the order of the text; optional ones at the end are missing
  std::vector<ValueId> results;
  std::vector<std::pair<std::string, Attribute>> attributes;
  std::vector<Region> regions;
  std::vector<Successor> successors;  // cf.br, cf.cond_br (true, false), cf.switch
  int location = -1;                  // index into Module::locations
  bool known = true;                  // false: `name`, results (perhaps opaque) and `text`; no regions or successors
  std::string text;                   // !known: the operation as written, its regions included
  std::size_t offset = 0;             // of its first character in the text

  const Attribute* attribute(std::string_view key) const;
  // By value, or the given default where it is missing or of another kind.
  std::int64_t integer(std::string_view key, std::int64_t otherwise) const;
  std::string_view string(std::string_view key, std::string_view otherwise = {}) const;
  bool flag(std::string_view key) const;  // a unit attribute or true
};

struct Function {
  std::string name;
  bool is_public = false;
  std::vector<ValueId> parameters;
  std::vector<Type> results;
  Region body;
  std::vector<Type> values;  // type of every value
  int location = -1;
};

// Where an operation came from. `caller`: the place of the call that was inlined here, or -1.
struct Location {
  std::string file;
  int line = 0, column = 0;
  int caller = -1;
};

struct Module {
  std::vector<Function> functions;
  std::vector<Location> locations;

  const Function* find(std::string_view name) const;
  // The kernel: the one public function; null if there is none.
  const Function* entry() const;
};

// The innermost place in `file` on the chain of calls (a person's own line, not Triton's library); the outermost place
// if none is there. Null for no location.
const Location* place_in(const Module& module, int location, std::string_view file);

}  // namespace tritonrl::machine
