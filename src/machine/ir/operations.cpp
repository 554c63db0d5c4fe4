#include "machine/ir/operations.h"

#include <string>

#include "machine/ir/attributes.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

constexpr int kMaxResults = 4096;  // of one operation

}  // namespace

Type IrReading::read_type(std::string_view short_prefix) {
  return machine::read_type(cursor, options.max_elements, short_prefix);
}

// Every value that the text defines takes some of it; groups of results ("%a:2") do not, where nothing tells their
// types.
OperationReader::OperationReader(IrReading& reading, Function& function)
    : reading_(reading),
      cursor_(reading.cursor),
      function_(function),
      scope_(function.values, reading.cursor.text().size() + 64) {}

int OperationReader::BlockNames::mention(std::string_view name, std::size_t offset) {
  const auto [found, inserted] = mentions.try_emplace(name, static_cast<int>(blocks.size()));
  if (inserted) {
    blocks.push_back(-1);
    offsets.push_back(offset);
  }
  return found->second;
}

ValueName OperationReader::read_name() {
  cursor_.expect("%");
  ValueName name;
  name.offset = cursor_.offset() - 1;
  name.name = cursor_.suffix();
  if (cursor_.text().substr(cursor_.offset(), 1) == "#") {
    cursor_.seek(cursor_.offset() + 1);
    const std::int64_t number = cursor_.integer();
    if (number < 0 || number >= kMaxResults) cursor_.fail("no such result");
    name.number = static_cast<int>(number);
  }
  return name;
}

int OperationReader::read_location() {
  const std::size_t start = cursor_.offset();
  if (!cursor_.accept_word("loc")) return -1;
  if (cursor_.peek() == '(') return reading_.locations.read(cursor_);
  cursor_.seek(start);
  return -1;
}

Region OperationReader::read_region(const std::vector<NamedType>& arguments, std::string_view implied) {
  if (regions_.size() >= static_cast<std::size_t>(reading_.options.max_depth)) cursor_.fail("regions nest too deep");
  cursor_.expect("{");
  scope_.enter();
  regions_.emplace_back();
  Region region;
  const bool labelled = cursor_.peek() == '^';
  if (labelled && !arguments.empty()) cursor_.fail("a label where the first block is open");
  if (!labelled && (cursor_.peek() != '}' || !arguments.empty() || !implied.empty())) {
    Block& block = region.blocks.emplace_back();
    for (const NamedType& argument : arguments) {
      block.arguments.push_back(scope_.define(argument.name, argument.type));
    }
  }
  while (!cursor_.accept("}")) {
    if (cursor_.peek() == '^') {
      const int index = static_cast<int>(region.blocks.size());
      read_block_label(regions_.back(), region.blocks.emplace_back(), index);
    } else {
      Operation op = read_operation();
      region.blocks.back().operations.push_back(std::move(op));
    }
  }
  const BlockNames names = std::move(regions_.back());
  regions_.pop_back();
  for (Block& block : region.blocks) {
    for (Operation& op : block.operations) {
      for (Successor& successor : op.successors) {
        const auto mention = static_cast<std::size_t>(successor.block);
        successor.block = names.blocks[mention];
        if (successor.block < 0) throw IrError{names.offsets[mention], "no such block"};
      }
    }
    const bool ends = !block.operations.empty() && block.operations.back().known &&
                      find_form(block.operations.back().name)->terminator;
    if (!implied.empty() && !ends) {
      Operation yield;
      yield.name = implied;
      yield.offset = cursor_.offset() - 1;
      block.operations.push_back(std::move(yield));
    }
  }
  scope_.leave();
  return region;
}

// "^bb1(%a: i32 loc(…), …):"
void OperationReader::read_block_label(BlockNames& names, Block& block, int index) {
  cursor_.expect("^");
  const std::size_t offset = cursor_.offset();
  const auto mention = static_cast<std::size_t>(names.mention(cursor_.suffix(), offset));
  if (names.blocks[mention] >= 0) throw IrError{offset, "a block defined twice"};
  names.blocks[mention] = index;
  if (cursor_.accept("(") && !cursor_.accept(")")) {
    do {
      const ValueName name = read_name();
      cursor_.expect(":");
      block.arguments.push_back(scope_.define(name, reading_.read_type()));
      read_location();
    } while (cursor_.accept(","));
    cursor_.expect(")");
  }
  cursor_.expect(":");
}

Operation OperationReader::read_operation() {
  if (++reading_.operations > reading_.options.max_operations) cursor_.fail("too many operations");
  cursor_.peek();
  const std::size_t start = cursor_.offset();
  const std::vector<ResultName> names = read_result_names();
  Draft draft;
  draft.op.offset = start;
  if (cursor_.peek() == '"') {
    read_generic(draft);
  } else {
    draft.op.name = cursor_.word();
    const Form* form = find_form(draft.op.name);
    if (form == nullptr) {
      if (draft.op.name.find('.') == std::string::npos) throw IrError{start, "expected an operation"};
      read_unknown(draft, start);
    } else if (!read_special(draft)) {
      if (form->format.empty()) cursor_.fail(draft.op.name + " has no form of its own");
      read_form(*form, draft);
    }
  }
  const std::size_t end = cursor_.offset();
  if (draft.op.known) {
    normalize(draft.op, draft.results);
  } else if (draft.op.text.empty()) {
    draft.op.text = cursor_.text().substr(start, end - start);
  }
  if (draft.op.location < 0) draft.op.location = read_location();
  define_results(names, draft, start);
  return std::move(draft.op);
}

// "%a, %b:2 ="
std::vector<OperationReader::ResultName> OperationReader::read_result_names() {
  std::vector<ResultName> names;
  if (cursor_.peek() != '%') return names;
  std::int64_t total = 0;
  do {
    cursor_.expect("%");
    ResultName name;
    name.offset = cursor_.offset() - 1;
    name.name = cursor_.suffix();
    if (cursor_.accept(":")) {
      const std::int64_t count = cursor_.integer();
      if (count < 1 || count > kMaxResults) cursor_.fail("no such number of results");
      name.count = static_cast<int>(count);
    }
    total += name.count;
    if (total > kMaxResults) cursor_.fail("too many results");
    names.push_back(name);
  } while (cursor_.accept(","));
  cursor_.expect("=");
  return names;
}

void OperationReader::define_results(const std::vector<ResultName>& names, Draft& draft, std::size_t offset) {
  std::size_t total = 0;
  for (const ResultName& name : names) total += static_cast<std::size_t>(name.count);
  if (!draft.op.known && draft.results.empty()) draft.results.resize(total);
  if (names.empty()) {  // results that nobody uses
    for (Type& type : draft.results) draft.op.results.push_back(scope_.add(std::move(type)));
    return;
  }
  if (total != draft.results.size()) {
    throw IrError{offset, draft.op.name + " has " + std::to_string(draft.results.size()) + " results"};
  }
  std::size_t next = 0;
  for (const ResultName& name : names) {
    for (int k = 0; k < name.count; ++k) {
      draft.op.results.push_back(scope_.define({name.name, k, name.offset}, std::move(draft.results[next++])));
    }
  }
}

ValueId OperationReader::read_operand(Operation& op) {
  op.operands.push_back(scope_.use(read_name()));
  return op.operands.back();
}

void OperationReader::read_condition(Operation& op) {
  Type& type = function_.values[static_cast<std::size_t>(read_operand(op))];
  if (type.kind != Type::Kind::kOpaque || !type.text.empty()) return;
  type.kind = Type::Kind::kScalar;
  type.scalar = Scalar::kI1;
}

void OperationReader::read_operands(Operation& op) {
  if (cursor_.peek() != '%') return;
  do read_operand(op);
  while (cursor_.accept(","));
}

void OperationReader::read_dictionary(Operation& op) {
  if (cursor_.peek() == '{') read_attribute_dictionary(cursor_, reading_.options.max_elements, op.attributes);
}

std::vector<Type> OperationReader::read_type_list(std::string_view close) {
  std::vector<Type> types;
  if (cursor_.accept(close)) return types;
  do types.push_back(reading_.read_type());
  while (cursor_.accept(","));
  cursor_.expect(close);
  return types;
}

std::vector<Type> OperationReader::read_result_types() {
  if (cursor_.accept("(")) return read_type_list(")");
  std::vector<Type> types;
  types.push_back(reading_.read_type());
  return types;
}

void OperationReader::has_type(ValueId value, const Type& type) {
  Type& known = function_.values[static_cast<std::size_t>(value)];
  if (known == type) return;
  if (known.kind == Type::Kind::kOpaque && known.text.empty()) {  // not defined yet, or by an operation we do not know
    known = type;
    return;
  }
  cursor_.fail("a value of type " + to_string(known) + " used as " + to_string(type));
}

}  // namespace tritonrl::machine
