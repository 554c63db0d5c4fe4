#include <string>

#include "machine/ir/attributes.h"
#include "machine/ir/operations.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {

void OperationReader::read_form(const Form& form, Draft& draft) {
  Operation& op = draft.op;
  Type first;             // the first type that was read
  std::size_t typed = 0;  // operands whose type was read
  const auto note = [&](const Type& type) {
    if (first.kind == Type::Kind::kOpaque) first = type;
  };
  const auto type_operand = [&](std::string_view prefix = {}) {
    const Type type = reading_.read_type(prefix);
    if (typed < op.operands.size()) has_type(op.operands[typed], type);
    ++typed;
    note(type);
  };
  const auto type_result = [&](std::string_view prefix = {}) {
    draft.results.push_back(reading_.read_type(prefix));
    note(draft.results.back());
  };
  const auto type_operands = [&] {
    if (typed >= op.operands.size()) return;
    do type_operand();
    while (cursor_.accept(","));
    if (typed != op.operands.size()) cursor_.fail("as many types as operands expected");
  };
  for (const std::string_view word : words_of(form)) {
    if (word == "$") {
      read_operand(op);
    } else if (word == "$1") {
      read_condition(op);
    } else if (word == "$*") {
      read_operands(op);
    } else if (word == ",$?") {
      if (cursor_.accept(",")) read_operand(op);
    } else if (word == "$:t*") {
      if (cursor_.peek() != '%') continue;
      const std::size_t before = op.operands.size();
      read_operands(op);
      cursor_.expect(":");
      typed = before;
      type_operands();
    } else if (word == ":$:t*") {
      if (!cursor_.accept(":")) continue;
      read_operands(op);
      cursor_.expect(":");
      type_operands();
    } else if (word == "D") {
      read_dictionary(op);
    } else if (word == "X") {
      read_modifiers(op);
    } else if (word == "t") {
      type_operand();
    } else if (word == ",t?") {
      if (cursor_.accept(",")) type_operand();
    } else if (word == "tP") {
      type_operand("tt.ptr");
    } else if (word == "t*") {
      type_operands();
    } else if (word == "t-1") {
      typed = op.operands.size() - 1;
      type_operand();
    } else if (word == "r") {
      type_result();
    } else if (word == "rP") {
      type_result("tt.ptr");
    } else if (word == "rD") {
      type_result("tt.tensordesc");
    } else if (word == "r*") {
      do type_result();
      while (cursor_.accept(","));
    } else if (word == "tr") {
      type_operand();
      draft.results.push_back(first);
    } else if (word == "fn") {
      read_functional_type(draft);
    } else if (word == "sel") {
      read_select_types(draft);
    } else if (word == "=i1") {
      draft.results.push_back(truth_like(first));
    } else if (word == "=pointee") {
      draft.results.push_back(pointee(first));
      const bool opaque = draft.results.back().kind == Type::Kind::kOpaque;
      if (opaque && first.kind != Type::Kind::kOpaque) cursor_.fail("not a pointer");
    } else if (word == "=scalar") {
      draft.results.push_back(scalar_of(first));
    } else if (word == "=again") {
      draft.results.push_back(draft.results.back());
    } else if (word.starts_with("w:")) {
      op.attributes.emplace_back(word.substr(2), std::string(cursor_.word()));
    } else if (word.starts_with("s:")) {
      op.attributes.emplace_back(word.substr(2), cursor_.string());
    } else if (word.starts_with("@:")) {
      cursor_.expect("@");
      op.attributes.emplace_back(word.substr(2),
                                 cursor_.peek() == '"' ? cursor_.string() : std::string(cursor_.suffix()));
    } else if (word.starts_with("m:")) {
      read_optional_attribute(word.substr(2), op, false);
    } else if (word.starts_with(",m:")) {
      read_optional_attribute(word.substr(3), op, true);
    } else if (word.starts_with("u:")) {
      if (cursor_.accept_word(word.substr(2))) op.attributes.emplace_back(word.substr(2), std::monostate());
    } else if (word.starts_with("b:")) {
      std::string joined(cursor_.word());
      while (cursor_.accept("|")) joined.append("|").append(cursor_.word());
      op.attributes.emplace_back(word.substr(2), std::move(joined));
    } else if (word.starts_with("sc:")) {
      if (!cursor_.accept_word("scale")) continue;
      read_operand(op);
      op.attributes.emplace_back(word.substr(3), true);
    } else {
      cursor_.expect(word);
    }
  }
}

// "WORD:KEY" of the format; "WORD = value" in the text.
void OperationReader::read_optional_attribute(std::string_view word, Operation& op, bool comma) {
  const std::size_t colon = word.find(':');
  const std::size_t start = cursor_.offset();
  if (comma && !cursor_.accept(",")) return;
  if (!cursor_.accept_word(word.substr(0, colon))) {
    cursor_.seek(start);
    return;
  }
  cursor_.expect("=");
  op.attributes.emplace_back(word.substr(colon + 1), std::string(cursor_.word()));
}

// "fastmath<fast>", "overflow<nsw, nuw>", "exact", "to_nearest_even"
void OperationReader::read_modifiers(Operation& op) {
  while (!cursor_.peek_word().empty() && cursor_.peek_word() != "loc") {
    const std::string_view word = cursor_.word();
    Attribute value;
    if (cursor_.peek() == '<') {
      const std::size_t open = cursor_.offset() + 1;
      cursor_.skip_balanced();
      value = std::string(cursor_.text().substr(open, cursor_.offset() - 1 - open));
    }
    op.attributes.emplace_back(word, std::move(value));
  }
}

// "T", or "tensor<…xi1>, T" where the condition is no single i1.
void OperationReader::read_select_types(Draft& draft) {
  Type type = reading_.read_type();
  if (cursor_.accept(",")) {
    has_type(draft.op.operands[0], type);
    type = reading_.read_type();
  }
  has_type(draft.op.operands[1], type);
  has_type(draft.op.operands[2], type);
  draft.results.push_back(std::move(type));
}

void OperationReader::read_functional_type(Draft& draft) {
  cursor_.expect("(");
  const std::vector<Type> types = read_type_list(")");
  if (types.size() != draft.op.operands.size()) cursor_.fail("as many types as operands expected");
  for (std::size_t i = 0; i < types.size(); ++i) has_type(draft.op.operands[i], types[i]);
  cursor_.expect("->");
  draft.results = read_result_types();
}

}  // namespace tritonrl::machine
