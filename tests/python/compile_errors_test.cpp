// What Triton refuses, told as a person wants it: the function, the line, the reason.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/python/test_compiler.h"

namespace tritonrl::python {
namespace {

struct Case {
  const char* name;
  const char* body;    // of k(x, n, B: tl.constexpr) with x: *fp32, n: i32, B = 64; further functions may follow
  int line;            // of the file; the kernel's def is line 1; 0: no line is known
  const char* reason;  // part of the message
  const char* function = "k";
  const char* target = "h200";
  int warps = 4;
  bool machine_code = false;
  std::int64_t block = 64;
};

const Case kCases[] = {
    {"arange_not_a_power_of_two", "o = tl.arange(0, B)\ntl.store(x + o, 1.0)", 2, "range must be a power of 2", "k",
     "h200", 4, false, 100},
    {"shapes_do_not_fit", "a = tl.arange(0, B)\nb = tl.arange(0, 32)\ntl.store(x + a + b, 1.0)", 4,
     "incompatible dimensions at index 0: 64 and 32"},
    {"undefined_name", "o = tl.arange(0, B)\n\ntl.store(x + offs, 1.0)", 4, "offs is not defined"},
    {"no_such_function", "tl.store(x, tl.gelu(tl.load(x)))", 2, "has no attribute 'gelu'"},
    {"size_is_no_constexpr", "tl.store(x + tl.arange(0, n), 1.0)", 2, "must be of type tl.constexpr"},
    {"lambda", "f = lambda v: v + 1\ntl.store(x, f(1.0))", 2, "Lambda"},
    {"try", "v = 1.0\ntry:\n    tl.store(x, v)\nexcept ValueError:\n    pass", 3, "Try"},
    {"with", "with x:\n    tl.store(x, 1.0)", 2, "with is not supported"},
    {"list_comprehension", "v = [i for i in range(3)]\ntl.store(x, 1.0)", 2, "comprehensions"},
    {"break", "for i in range(n):\n    if i > 3:\n        break\n    tl.store(x + i, 1.0)", 4, "Break"},
    {"return_in_loop", "for i in range(n):\n    if i > 3:\n        return\n    tl.store(x + i, 1.0)", 3,
     "Cannot have `return` statements inside"},
    {"nested_function", "def f(v):\n    return v\ntl.store(x, f(1.0))", 2, "nested function definition"},
    {"recursion", "tl.store(x, again(1.0))\n\ndef again(v):\n    return again(v) + 1", 5,
     "again calls itself; kernels cannot recurse\n  called by k, line 2: tl.store(x, again(1.0))", "again"},
    {"dot_too_small",
     "o = tl.arange(0, 8)\np = x + o[:, None] * 8 + o[None, :]\na = tl.load(p)\ntl.store(p, tl.dot(a, a))", 5,
     "K >= 16"},
    {"dot_inner_sizes", "a = tl.zeros((16, 32), tl.float32)\nd = tl.dot(a, a)\ntl.store(x, tl.sum(d))", 3,
     "equal reduction dimensions"},
    {"dot_types", "a = tl.zeros((32, 32), tl.float32)\nd = tl.dot(a, a.to(tl.float16))\ntl.store(x, tl.sum(d))", 3,
     "same dtype. Got fp32 and fp16"},
    {"loop_changes_type", "acc = 0\nfor i in range(n):\n    acc += tl.load(x + i)\ntl.store(x, acc)", 3,
     "acc has initial type int32 but is re-assigned to fp32"},
    {"loop_changes_shape",
     "acc = tl.zeros((B,), tl.float32)\nfor i in range(n):\n    acc = tl.sum(acc, 0)\ntl.store(x, acc)", 3,
     "acc has initial type <['64'], fp32>"},
    {"branches_differ",
     "if n > 3:\n    v = tl.zeros((B,), tl.float32)\nelse:\n    v = tl.zeros((B,), tl.float16)\ntl.store(x + "
     "tl.arange(0, B), v)",
     2, "Mismatched type for v"},
    {"python_function_on_tensor", "v = tl.load(x)\ntl.store(x, math.exp(v))", 3, "must be real number, not tensor"},
    {"global_is_no_constexpr", "tl.store(x, PLAIN)", 2, "Cannot access global variable PLAIN"},
    {"scalar_pointer_block_value", "tl.store(x, tl.arange(0, B))", 2, "Value argument cannot be block type"},
    {"load_of_a_number", "tl.store(x, tl.load(n))", 2, "Unsupported ptr type"},
    {"mask_of_another_shape", "o = tl.arange(0, B)\ntl.store(x + o, 1.0, mask=tl.arange(0, 32) < n)", 3,
     "incompatible dimensions"},
    {"static_assert", "tl.static_assert(B == 32, \"B must be 32\")\ntl.store(x, 1.0)", 2, "B must be 32"},
    {"wrong_axis", "v = tl.load(x + tl.arange(0, B))\ntl.store(x, tl.sum(v, 1))", 3, "invalid axis 1"},
    {"reshape_changes_size", "v = tl.load(x + tl.arange(0, B))\nw = tl.reshape(v, (B, 2))\ntl.store(x, tl.sum(w))", 3,
     "cannot change total number of elements"},
    {"bits_of_a_float", "tl.store(x, tl.load(x) & 3)", 2, "invalid operands of type"},
    {"index_of_a_block", "v = tl.load(x + tl.arange(0, B))\ntl.store(x, v[3])", 3, "unsupported tensor index"},
    {"block_too_large", "v = tl.zeros((2048, 1024), tl.float32)\ntl.store(x, tl.sum(v))", 2,
     "exceeds triton maximum tensor numel"},
    {"division_by_zero", "C: tl.constexpr = B // 0\ntl.store(x, C)", 2, "division"},
    {"constexpr_twice", "C: tl.constexpr = 3\nC: tl.constexpr = 4\ntl.store(x, C)", 3,
     "constexpr cannot be reassigned"},
    {"unknown_order_of_memory", "tl.atomic_add(x, 1.0, sem='strange')", 2, "Memory semantic strange not supported"},
    {"too_many_arguments", "tl.store(x, f(1.0, 2.0))\n\ndef f(v):\n    return v", 2, "positional argument"},
    {"libdevice_of_integers", "tl.store(x, tl.extra.libdevice.tanh(n))", 2, "no version for arguments of type (int32)"},
    {"in_a_called_function",
     "v = tl.load(x + tl.arange(0, B))\ntl.store(x + tl.arange(0, B), outer(v))\n\n"
     "def outer(v):\n    return inner(v) + 1\n\ndef inner(v):\n    w = v * 2\n    return w + missing",
     10,
     "missing is not defined\n  called by outer, line 6: return inner(v) + 1\n"
     "  called by k, line 3: tl.store(x + tl.arange(0, B), outer(v))",
     "inner"},
    {"type_of_a_newer_chip", "tl.store(x, tl.load(x).to(tl.float8e4nv).to(tl.float32))", 2,
     "fp8e4nv not supported in this architecture", "k", "a100"},
    {"warps_not_a_power_of_two", "tl.store(x, 1.0)", 0, "num_warps must be a power of 2", "", "h200", 3},
    {"combine_changes_type",
     "v = tl.load(x + tl.arange(0, B))\ntl.store(x, tl.reduce(v, 0, less))\n\ndef less(a, b):\n    return a < b", 3,
     "type mismatch on combine operation"},
    {"printed_by_a_check_of_the_ir",
     "v = tl.load(x + tl.arange(0, B))\n"
     "z = tl.inline_asm_elementwise(\"mov.b32 $0, $1;\", \"=r,r\", [v], dtype=tl.float32, is_pure=True, pack=3)\n"
     "tl.store(x + tl.arange(0, B), z)",
     3, "must be a multiple of the op's packed_element attribute, 3"},
    {"llvm_ends_the_process",
     "v = tl.load(x)\ntl.store(x, tl.inline_asm_elementwise(\"mov.b32 $0, $1;\", \"=Q,Z\", [v], dtype=tl.float32, "
     "is_pure=True, pack=1))",
     0, "couldn't allocate output register for constraint 'Q'", "", "h200", 4, true},
    {"assembly_that_is_none",
     "v = tl.load(x)\ntl.store(x, tl.inline_asm_elementwise(\"bogus.b32 $0, $1;\", \"=r,r\", [v], dtype=tl.float32, "
     "is_pure=True, pack=1))",
     0, "the assembler refuses it: Not a name of any known instruction: 'bogus'", "", "h200", 4, true},
};

TestKernel kernel_of(const Case& one) {
  std::string source = "def k(x, n, B: tl.constexpr):\n";
  const std::string body = one.body;
  const std::size_t functions = body.find("\n\ndef ");  // what follows is not the kernel's
  std::istringstream lines(body.substr(0, functions));
  for (std::string line; std::getline(lines, line);) source += (line.empty() ? "" : "    ") + line + "\n";
  if (functions != std::string::npos) source += body.substr(functions + 1) + "\n";
  TestKernel kernel =
      make_kernel(source, {{"x", "*fp32", {}}, {"n", "i32", {}}, {"B", "constexpr", integer(one.block)}});
  kernel.kernel.constants = {{"PLAIN", "16"}};
  kernel.kernel.imports.emplace_back("math", "math");
  kernel.variant.options = {{"num_warps", integer(one.warps)}};
  return kernel;
}

class CompileErrors : public testing::TestWithParam<Case> {};

TEST_P(CompileErrors, HaveTheirLineAndReason) {
  const Case& one = GetParam();
  const TestKernel kernel = kernel_of(one);
  const CompileOutcome outcome = test_compiler().compile(kernel.request(one.target, one.machine_code));
  ASSERT_EQ(outcome.kind, CompileOutcome::Kind::kError) << to_string(outcome.kind) << " " << outcome.message;
  EXPECT_NE(outcome.message.find(one.reason), std::string::npos) << outcome.exception << ": " << outcome.message;
  EXPECT_EQ(outcome.message.find('^'), std::string::npos) << "Triton's drawing: " << outcome.message;
  EXPECT_EQ(outcome.function, one.function);
  EXPECT_EQ(outcome.at, (one.line == 0 ? program::SourceLine{} : program::SourceLine{0, one.line}));
  EXPECT_EQ(outcome.code.empty(), one.line == 0);
  EXPECT_FALSE(outcome.exception.empty());
}

INSTANTIATE_TEST_SUITE_P(All, CompileErrors, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace tritonrl::python
