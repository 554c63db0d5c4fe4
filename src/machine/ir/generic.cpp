#include <algorithm>
#include <string>

#include "machine/ir/attributes.h"
#include "machine/ir/numbers.h"
#include "machine/ir/operations.h"
#include "machine/numbers/float_formats.h"

namespace tritonrl::machine {
namespace {

// What the generic form calls otherwise than reader.h.
constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"atomic_rmw_op", "rmw"},
    {"asm_string", "asm"},
};

bool make_dense(Attribute& value, const Type& type) {
  if (std::holds_alternative<Dense>(value)) return true;
  Dense dense;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (!is_integer(type.scalar)) return false;
    dense.bits.push_back(static_cast<std::uint64_t>(*integer) & mask_of(type.scalar));
  } else if (const auto* number = std::get_if<double>(&value)) {
    if (!is_float(type.scalar)) return false;
    dense.bits.push_back(from_double(type.scalar, *number));
  } else if (const auto* truth = std::get_if<bool>(&value)) {
    dense.bits.push_back(*truth);
  } else {
    return false;
  }
  value = std::move(dense);
  return true;
}

}  // namespace

void normalize(Operation& op, const std::vector<Type>& results) {
  for (auto& [key, value] : op.attributes) {
    for (const auto& [generic, ours] : kRenamed) {
      if (key == generic) key = ours;
    }
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      const std::string_view word = enumerator(op.name, key, *number);
      if (!word.empty()) value = std::string(word);
    } else if (const auto* text = std::get_if<std::string>(&value); text != nullptr && key == "axis") {
      if (*text == "x" || *text == "y" || *text == "z") value = std::int64_t{(*text)[0] - 'x'};
    }
    if (op.name == "arith.constant" && key == "value" && results.size() == 1 && !make_dense(value, results[0])) {
      op.known = false;
    }
  }
}

// "\"tt.reduce\"(%a, %b)[^bb1] <{axis = 0 : i32}> ({ … }) {attributes} : (T, T) -> (U, U)"
void OperationReader::read_generic(Draft& draft) {
  Operation& op = draft.op;
  op.name = cursor_.string();
  cursor_.expect("(");
  read_operands(op);
  cursor_.expect(")");
  if (cursor_.accept("[")) {
    do op.successors.push_back(read_successor());
    while (cursor_.accept(","));
    cursor_.expect("]");
  }
  if (cursor_.accept("<")) {
    read_dictionary(op);
    cursor_.expect(">");
  }
  if (cursor_.accept("(")) {
    do op.regions.push_back(read_region({}));
    while (cursor_.accept(","));
    cursor_.expect(")");
  }
  read_dictionary(op);
  cursor_.expect(":");
  read_functional_type(draft);
  op.known = find_form(op.name) != nullptr;
  // The few whose generic form is arranged otherwise and that Triton never prints so.
  if (op.name == "cf.switch" || op.name == "scf.index_switch") op.known = false;
  if (op.name == "scf.if" && op.regions.size() == 2 && op.regions[1].blocks.empty()) op.regions.pop_back();
  distribute_successor_operands(op);
}

// Behind the branch's own operand come those of its successors, one after the other.
void OperationReader::distribute_successor_operands(Operation& op) {
  if (op.successors.empty() || !op.known) return;
  std::size_t own = 0;
  std::vector<std::int64_t> sizes;
  if (op.name == "cf.br" && op.successors.size() == 1) {
    sizes = {static_cast<std::int64_t>(op.operands.size())};
  } else if (op.name == "cf.cond_br" && op.successors.size() == 2) {
    own = 1;
    const Attribute* segments = op.attribute("operandSegmentSizes");
    const auto* listed = segments == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(segments);
    if (listed == nullptr || listed->size() != 3 || (*listed)[0] != 1)
      cursor_.fail("expected three segments of operands");
    sizes.assign(listed->begin() + 1, listed->end());
  } else {
    return;
  }
  std::size_t at = own;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t left = op.operands.size() - std::min(at, op.operands.size());
    if (sizes[i] < 0 || static_cast<std::uint64_t>(sizes[i]) > left) cursor_.fail("segments do not fit the operands");
    const auto size = static_cast<std::size_t>(sizes[i]);
    const auto begin = op.operands.begin() + static_cast<std::ptrdiff_t>(at);
    op.successors[i].arguments.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    at += size;
  }
  if (at != op.operands.size()) cursor_.fail("segments do not fit the operands");
  op.operands.resize(own);
}

// To the end of its last line; a location there is read.
void OperationReader::read_unknown(Draft& draft, std::size_t start) {
  draft.op.known = false;
  cursor_.skip_statement();
  const std::size_t end = cursor_.offset();
  draft.op.text = cursor_.text().substr(start, end - start);
  const std::size_t location = draft.op.text.rfind(" loc(");
  if (location == std::string::npos) return;
  cursor_.seek(start + location);
  const int reference = read_location();
  cursor_.peek();
  if (cursor_.offset() < end) {  // it was not the operation's own
    cursor_.seek(end);
    return;
  }
  cursor_.seek(end);
  draft.op.location = reference;
  draft.op.text.resize(location);
}

}  // namespace tritonrl::machine
