#include <string>

#include "machine/ir/attributes.h"
#include "machine/ir/operations.h"

namespace tritonrl::machine {

bool OperationReader::read_special(Draft& draft) {
  using Read = void (OperationReader::*)(Draft&);
  struct Special {
    std::string_view name;
    Read read;
  };
  static constexpr Special kSpecials[] = {
      {"arith.constant", &OperationReader::read_constant_operation},
      {"scf.for", &OperationReader::read_for},
      {"scf.while", &OperationReader::read_while},
      {"scf.if", &OperationReader::read_if},
      {"scf.index_switch", &OperationReader::read_index_switch},
      {"scf.execute_region", &OperationReader::read_execute_region},
      {"cf.br", &OperationReader::read_branch},
      {"cf.cond_br", &OperationReader::read_conditional_branch},
      {"cf.switch", &OperationReader::read_switch},
  };
  for (const Special& special : kSpecials) {
    if (draft.op.name != special.name) continue;
    (this->*special.read)(draft);
    return true;
  }
  return false;
}

void OperationReader::read_constant_operation(Draft& draft) {
  read_dictionary(draft.op);
  auto [dense, type] = read_constant(cursor_, reading_.options.max_elements);
  draft.op.attributes.emplace_back("value", std::move(dense));
  draft.results.push_back(std::move(type));
}

// "scf.for unsigned %i = %0 to %1 step %2 iter_args(%a = %b) -> (T) : i32 { … } {attributes}"
void OperationReader::read_for(Draft& draft) {
  Operation& op = draft.op;
  if (cursor_.accept_word("unsigned")) op.attributes.emplace_back("unsigned", std::monostate());
  std::vector<NamedType> arguments(1);
  arguments[0].name = read_name();
  cursor_.expect("=");
  read_operand(op);
  if (!cursor_.accept_word("to")) cursor_.fail("expected 'to'");
  read_operand(op);
  if (!cursor_.accept_word("step")) cursor_.fail("expected 'step'");
  read_operand(op);
  if (cursor_.accept_word("iter_args")) {
    cursor_.expect("(");
    if (cursor_.peek() != ')') {
      do {
        arguments.push_back({read_name(), {}});
        cursor_.expect("=");
        read_operand(op);
      } while (cursor_.accept(","));
    }
    cursor_.expect(")");
    cursor_.expect("->");
    draft.results = read_result_types();
    if (draft.results.size() != arguments.size() - 1) cursor_.fail("as many types as arguments expected");
    for (std::size_t i = 0; i < draft.results.size(); ++i) {
      has_type(op.operands[3 + i], draft.results[i]);
      arguments[1 + i].type = draft.results[i];
    }
  }
  arguments[0].type.kind = Type::Kind::kScalar;
  arguments[0].type.scalar = Scalar::kIndex;
  if (cursor_.accept(":")) arguments[0].type = reading_.read_type();
  for (std::size_t i = 0; i < 3; ++i) has_type(op.operands[i], arguments[0].type);
  op.regions.push_back(read_region(arguments, draft.results.empty() ? "scf.yield" : ""));
  read_dictionary(op);
}

// "scf.while (%a = %b) : (T) -> (U) { … } do { ^bb0(%c: U): … } attributes {…}"
void OperationReader::read_while(Draft& draft) {
  Operation& op = draft.op;
  std::vector<NamedType> arguments;
  if (cursor_.accept("(") && !cursor_.accept(")")) {
    do {
      arguments.push_back({read_name(), {}});
      cursor_.expect("=");
      read_operand(op);
    } while (cursor_.accept(","));
    cursor_.expect(")");
  }
  cursor_.expect(":");
  read_functional_type(draft);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arguments[i].type = function_.values[static_cast<std::size_t>(op.operands[i])];
  }
  op.regions.push_back(read_region(arguments));
  if (!cursor_.accept_word("do")) cursor_.fail("expected 'do'");
  op.regions.push_back(read_region({}, arguments.empty() ? "scf.yield" : ""));
  if (cursor_.accept_word("attributes")) read_dictionary(op);
}

// "scf.if %c -> (T) { … } else { … } {attributes}"
void OperationReader::read_if(Draft& draft) {
  Operation& op = draft.op;
  read_condition(op);
  if (cursor_.accept("->")) draft.results = read_result_types();
  const std::string_view implied = draft.results.empty() ? "scf.yield" : "";
  op.regions.push_back(read_region({}, implied));
  if (cursor_.accept_word("else")) op.regions.push_back(read_region({}, implied));
  read_dictionary(op);
}

// "scf.index_switch %x {attributes} -> T case 2 { … } default { … }"; the default comes last
void OperationReader::read_index_switch(Draft& draft) {
  Operation& op = draft.op;
  read_operand(op);
  read_dictionary(op);
  if (cursor_.accept("->")) {
    do draft.results.push_back(reading_.read_type());
    while (cursor_.accept(","));
  }
  const std::string_view implied = draft.results.empty() ? "scf.yield" : "";
  std::vector<std::int64_t> cases;
  while (cursor_.accept_word("case")) {
    cases.push_back(cursor_.integer());
    op.regions.push_back(read_region({}, implied));
  }
  if (!cursor_.accept_word("default")) cursor_.fail("expected 'default'");
  op.regions.push_back(read_region({}, implied));
  op.attributes.emplace_back("cases", std::move(cases));
}

// "scf.execute_region -> (T) no_inline { … } {attributes}"
void OperationReader::read_execute_region(Draft& draft) {
  Operation& op = draft.op;
  if (cursor_.accept("->")) draft.results = read_result_types();
  if (cursor_.accept_word("no_inline")) op.attributes.emplace_back("no_inline", std::monostate());
  op.regions.push_back(read_region({}));
  read_dictionary(op);
}

// "^bb1(%a, %b : T, U)"
Successor OperationReader::read_successor() {
  cursor_.expect("^");
  const std::size_t offset = cursor_.offset();
  Successor successor;
  successor.block = regions_.back().mention(cursor_.suffix(), offset);
  if (cursor_.accept("(")) {
    Operation arguments;
    read_operands(arguments);
    if (!arguments.operands.empty()) cursor_.expect(":");
    const std::vector<Type> types = read_type_list(")");
    if (types.size() != arguments.operands.size()) cursor_.fail("as many types as operands expected");
    for (std::size_t i = 0; i < types.size(); ++i) has_type(arguments.operands[i], types[i]);
    successor.arguments = std::move(arguments.operands);
  }
  return successor;
}

void OperationReader::read_branch(Draft& draft) {
  draft.op.successors.push_back(read_successor());
  read_dictionary(draft.op);
}

// "cf.cond_br %c weights([1, 2]), ^bb1, ^bb2 {attributes}"
void OperationReader::read_conditional_branch(Draft& draft) {
  read_condition(draft.op);
  if (cursor_.accept_word("weights")) cursor_.skip_balanced();
  cursor_.expect(",");
  draft.op.successors.push_back(read_successor());
  cursor_.expect(",");
  draft.op.successors.push_back(read_successor());
  read_dictionary(draft.op);
}

// "cf.switch %x : i32, [ default: ^bb1, 42: ^bb2(%a : T) ]"
void OperationReader::read_switch(Draft& draft) {
  Operation& op = draft.op;
  read_operand(op);
  cursor_.expect(":");
  has_type(op.operands[0], reading_.read_type());
  cursor_.expect(",");
  cursor_.expect("[");
  if (!cursor_.accept_word("default")) cursor_.fail("expected 'default'");
  cursor_.expect(":");
  op.successors.push_back(read_successor());
  std::vector<std::int64_t> cases;
  while (cursor_.accept(",")) {
    cases.push_back(cursor_.integer());
    cursor_.expect(":");
    op.successors.push_back(read_successor());
  }
  cursor_.expect("]");
  read_dictionary(op);
  op.attributes.emplace_back("cases", std::move(cases));
}

}  // namespace tritonrl::machine
