#include "machine/ir/rules.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

// What lies behind the pointer in operand 0.
Type accessed(const TypedOperation& op) {
  Type type = pointee(op.operand(0));
  const bool descriptor = op.operand(0).kind == Type::Kind::kDescriptor;
  op.require(type.kind != Type::Kind::kOpaque && !descriptor, "not a pointer");
  return type;
}

bool through_block(const TypedOperation& op) {
  return op.operand(0).kind == Type::Kind::kBlockPointer;
}

void check_mask(const TypedOperation& op, std::size_t index, const Type& type) {
  if (op.operands() <= index) return;
  op.require(!through_block(op) && op.operand(index) == truth_like(type), "the mask is not i1 in that shape");
}

void check_boundary(const TypedOperation& op) {
  if (op.op().attribute("boundaryCheck") == nullptr) return;
  const auto rank = static_cast<std::int64_t>(op.operand(0).shape.size());
  for (const std::int64_t axis : op.integers("boundaryCheck")) op.require(axis >= 0 && axis < rank, "no such axis");
}

void check_load(const TypedOperation& op) {
  const Type type = accessed(op);
  op.require(op.result() == type, "the result is not what the pointer points to");
  check_mask(op, 1, type);
  if (op.operands() > 2) op.require(op.operand(2) == type, "the other value is of another type");
  check_boundary(op);
  if (op.op().attribute("padding") != nullptr) op.integer("padding", 1, 2);
}

void check_store(const TypedOperation& op) {
  const Type type = accessed(op);
  op.require(op.operand(1) == type, "the value is not what the pointer points to");
  check_mask(op, 2, type);
  check_boundary(op);
}

void check_atomic_rmw(const TypedOperation& op) {
  const Type type = accessed(op);
  op.require(!through_block(op) && op.operand(1) == type && op.result() == type,
             "the value is not what the pointer points to");
  check_mask(op, 2, type);
  const std::string_view kind = op.op().string("rmw");
  op.require(is_enumerator(op.op().name, "rmw", kind), "an unknown operation");
  if (kind == "exch") {
    op.require(is_number(type.scalar), "not for this type");
  } else {
    op.require(kind == "fadd" ? is_float(type.scalar) : is_integer(type.scalar), "not for this type");
  }
}

void check_atomic_cas(const TypedOperation& op) {
  const Type type = accessed(op);
  op.require(!through_block(op) && op.operand(1) == type && op.operand(2) == type && op.result() == type,
             "the value is not what the pointer points to");
  op.require(is_number(type.scalar), "not for this type");
}

// Operands [first, first + count) are of one integer type.
void check_integers(const TypedOperation& op, std::size_t first, std::size_t count, Scalar scalar) {
  for (std::size_t i = first; i < first + count; ++i) op.require(is_scalar(op.operand(i), scalar), "not an integer");
}

void check_base(const TypedOperation& op) {
  const Type& base = op.operand(0);
  op.require(is_scalar(base, Scalar::kPointer) && base.element == op.result().element, "the base does not fit");
}

void check_make_tensor_pointer(const TypedOperation& op) {
  const std::size_t rank = op.result().shape.size();
  op.require(op.result().kind == Type::Kind::kBlockPointer && op.operands() == 1 + 3 * rank, "numbers do not fit");
  check_base(op);
  check_integers(op, 1, 2 * rank, Scalar::kI64);
  check_integers(op, 1 + 2 * rank, rank, Scalar::kI32);
  op.require(is_permutation(op.integers("order"), rank), "the order is none");
}

void check_advance(const TypedOperation& op) {
  const std::size_t rank = op.result().shape.size();
  op.require(op.result().kind == Type::Kind::kBlockPointer && op.operand(0) == op.result(), "not a block pointer");
  op.require(op.operands() == 1 + rank, "numbers do not fit");
  check_integers(op, 1, rank, Scalar::kI32);
}

void check_make_descriptor(const TypedOperation& op) {
  const std::size_t rank = op.result().shape.size();
  op.require(op.result().kind == Type::Kind::kDescriptor && op.operands() == 1 + 2 * rank, "numbers do not fit");
  check_base(op);
  check_integers(op, 1, rank, Scalar::kI32);
  check_integers(op, 1 + rank, rank, Scalar::kI64);
  if (op.op().attribute("padding") != nullptr) op.integer("padding", 1, 2);
}

const Type& descriptor(const TypedOperation& op) {
  op.require(op.operand(0).kind == Type::Kind::kDescriptor, "not a descriptor");
  return op.operand(0);
}

// The block with its leading ones left out, or whole.
void check_block(const TypedOperation& op, const Type& block) {
  const Type& desc = descriptor(op);
  op.require(block.kind == Type::Kind::kTensor && block.scalar == desc.element && block.count() == desc.count(),
             "the block does not fit");
}

void check_descriptor_load(const TypedOperation& op) {
  const std::size_t rank = descriptor(op).shape.size();
  op.require(op.operands() == 1 + rank, "numbers do not fit");
  check_integers(op, 1, rank, Scalar::kI32);
  check_block(op, op.result());
}

void check_descriptor_store(const TypedOperation& op) {
  const std::size_t rank = descriptor(op).shape.size();
  op.require(op.operands() == 2 + rank, "numbers do not fit");
  check_integers(op, 1, rank, Scalar::kI32);
  check_block(op, op.operand(1 + rank));
  if (op.op().name != "tt.descriptor_reduce") return;
  op.require(is_enumerator(op.op().name, "kind", op.op().string("kind")), "an unknown operation");
}

// Rows of the tensor by their numbers.
void check_rows(const TypedOperation& op, const Type& rows) {
  const Type& desc = descriptor(op);
  const Type& numbers = op.operand(1);
  op.require(desc.shape.size() == 2 && desc.shape[0] == 1, "the descriptor is not one of rows");
  op.require(numbers.kind == Type::Kind::kTensor && numbers.shape.size() == 1 && is_integer(numbers.scalar),
             "the rows are not numbers");
  op.require(is_scalar(op.operand(2), Scalar::kI32), "not an integer");
  op.require(rows.kind == Type::Kind::kTensor && rows.scalar == desc.element &&
                 rows.shape == std::vector<std::int64_t>{numbers.shape[0], desc.shape[1]},
             "the block does not fit");
}

constexpr Form kMemoryForms[] = {
    {"tt.load", "$ ,$? ,$? m:cacheModifier:cache m:evictionPolicy:evict m:cacheModifier:cache D : t =pointee",
     check_load, 1, 3, 1},
    {"tt.store", "$ , $ ,$? m:cacheModifier:cache m:evictionPolicy:evict m:cacheModifier:cache D : t", check_store, 2,
     3, 0},
    {"tt.atomic_rmw", "w:rmw , w:sem , w:scope , $ , $ ,$? D : fn", check_atomic_rmw, 2, 3, 1},
    {"tt.atomic_cas", "w:sem , w:scope , $ , $ , $ D : fn", check_atomic_cas, 3, 3, 1},
    {"tt.make_tensor_ptr", "$ , [ $* ] , [ $* ] , [ $* ] D : rP", check_make_tensor_pointer, 1, -1, 1},
    {"tt.advance", "$ , [ $* ] D : rP", check_advance, 1, -1, 1},
    {"tt.make_tensor_descriptor", "$ , [ $* ] , [ $* ] D : tP , rD", check_make_descriptor, 1, -1, 1},
    {"tt.descriptor_load", "$ [ $* ] m:cacheModifier:cache m:evictionPolicy:evict m:cacheModifier:cache D : t -> r",
     check_descriptor_load, 1, -1, 1},
    {"tt.descriptor_store", "$ [ $* ] , $ D : t , t-1", check_descriptor_store, 2, -1, 0},
    {"tt.descriptor_reduce", "w:kind , $ [ $* ] , $ D : t , t-1", check_descriptor_store, 2, -1, 0},
    {"tt.descriptor_gather", "$ [ $ , $ ] D : fn", [](const TypedOperation& op) { check_rows(op, op.result()); }, 3, 3,
     1},
    {"tt.descriptor_scatter", "$ [ $ , $ ] , $ D : t*", [](const TypedOperation& op) { check_rows(op, op.operand(3)); },
     4, 4, 0},
};

}  // namespace

std::span<const Form> memory_forms() {
  return kMemoryForms;
}

}  // namespace tritonrl::machine
