#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/ir/cursor.h"
#include "machine/ir/forms.h"
#include "machine/ir/ir.h"
#include "machine/ir/locations.h"
#include "machine/ir/reader.h"
#include "machine/ir/scope.h"

namespace tritonrl::machine {

// What the readers of a module's functions share.
struct IrReading {
  IrCursor cursor;
  IrLocations locations;
  IrReaderOptions options;
  std::int64_t operations = 0;

  explicit IrReading(std::string_view text, const IrReaderOptions& chosen) : cursor(text), options(chosen) {}
  Type read_type(std::string_view short_prefix = {});
};

struct NamedType {
  ValueName name;
  Type type;
};

// Reads the operations of one function. Locations of what it makes are references (locations.h) until the whole
// module is read.
class OperationReader {
 public:
  OperationReader(IrReading& reading, Function& function);

  // "{ … }" with the arguments that its first block has. `implied`: the terminator that may be left out; empty if none.
  Region read_region(const std::vector<NamedType>& arguments, std::string_view implied = {});

  ValueName read_name();
  int read_location();  // "loc(…)" if there is one, else -1

 private:
  // An operation under construction.
  struct Draft {
    Operation op;
    std::vector<Type> results;
  };
  struct ResultName {
    std::string_view name;
    int count = 1;
    std::size_t offset = 0;
  };
  // The blocks of one region, by the order in which they are mentioned until all are there.
  struct BlockNames {
    std::unordered_map<std::string_view, int> mentions;
    std::vector<int> blocks;  // by mention; -1: not there yet
    std::vector<std::size_t> offsets;
    int mention(std::string_view name, std::size_t offset);
  };

  Operation read_operation();
  std::vector<ResultName> read_result_names();
  void define_results(const std::vector<ResultName>& names, Draft& draft, std::size_t offset);
  void read_block_label(BlockNames& names, Block& block, int index);

  // By its format (forms.h).
  void read_form(const Form& form, Draft& draft);
  void read_optional_attribute(std::string_view word, Operation& op, bool comma);
  void read_modifiers(Operation& op);
  void read_select_types(Draft& draft);
  void read_functional_type(Draft& draft);

  // In code: constants and what has regions or successors. False if it is none of these.
  bool read_special(Draft& draft);
  void read_constant_operation(Draft& draft);
  void read_for(Draft& draft);
  void read_while(Draft& draft);
  void read_if(Draft& draft);
  void read_index_switch(Draft& draft);
  void read_execute_region(Draft& draft);
  void read_branch(Draft& draft);
  void read_conditional_branch(Draft& draft);
  void read_switch(Draft& draft);
  Successor read_successor();

  // MLIR's generic form, and operations of another kind in their own.
  void read_generic(Draft& draft);
  void distribute_successor_operands(Operation& op);
  void read_unknown(Draft& draft, std::size_t start);

  ValueId read_operand(Operation& op);
  void read_condition(Operation& op);  // an operand that is i1, where the text does not tell
  void read_operands(Operation& op);   // any number, commas between
  void read_dictionary(Operation& op);
  std::vector<Type> read_result_types();  // one, or any number in parentheses
  std::vector<Type> read_type_list(std::string_view close);
  // The text says that a value has that type.
  void has_type(ValueId value, const Type& type);

  IrReading& reading_;
  IrCursor& cursor_;
  Function& function_;
  IrScope scope_;
  std::vector<BlockNames> regions_;
};

// Brings the attributes of a known operation into the form that reader.h describes.
void normalize(Operation& op, const std::vector<Type>& results);

}  // namespace tritonrl::machine
