#include "abstract/difficulty.h"
#include "base/sha256.h"

namespace tritonrl::abstract {
namespace {

constexpr std::size_t kDigits = 32;

std::string hash_of(const std::string& names) {
  return names.empty() ? std::string() : base::sha256(names).substr(0, kDigits);
}

}  // namespace

std::string operator_hash(const ForwardOperators& forward) {
  std::string names;
  for (const ForwardOperator& op : forward.operators) {
    if (program::is_compute(op.kind)) names += op.name + "\n";
  }
  return hash_of(names);
}

std::string operator_hash(const program::Program& program) {
  std::string names;
  if (program.forwards.empty()) return names;
  for (const program::Step& step : program.forwards.front().steps) {
    const auto* call = std::get_if<program::AtenCall>(&step);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op != nullptr && program::is_compute(op->kind)) names += std::string(program::plain_name(call->op)) + "\n";
  }
  return hash_of(names);
}

}  // namespace tritonrl::abstract
