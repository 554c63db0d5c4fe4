#include "python/kernel_compiler.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "tests/base/scratch_folder.h"
#include "tests/python/process_census.h"
#include "tests/python/test_compiler.h"

namespace tritonrl::python {
namespace {

using Kind = CompileOutcome::Kind;
using program::KernelParameter;
using program::Value;
namespace fs = std::filesystem;

const char* const kRelu = R"(def relu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.maximum(x, 0.0), mask=mask)
)";

TestKernel relu(std::int64_t block = 128) {
  return make_kernel(
      kRelu,
      {{"x_ptr", "*fp32", {}}, {"y_ptr", "*fp32", {}}, {"n", "i32", {}}, {"BLOCK", "constexpr", integer(block)}});
}

// A one-line kernel: stores `value` to x, with an extra constant C.
TestKernel storing(const std::string& value, Value constant = {}) {
  return make_kernel("def k(x, C: tl.constexpr):\n    tl.store(x, " + value + ")\n",
                     {{"x", "*fp32", {}}, {"C", "constexpr", std::move(constant)}});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_compiled(const TestKernel& kernel, const std::string& part = "tt.func public @") {
  const CompileOutcome outcome = test_compiler().compile(kernel.request());
  ASSERT_EQ(outcome.kind, Kind::kCompiled) << outcome.exception << " " << outcome.message << "\n" << outcome.log;
  EXPECT_TRUE(has(outcome.kernel.ir, part)) << outcome.kernel.ir;
}

TEST(KernelCompiler, GivesTritonsIr) {
  const TestKernel kernel = relu();
  const CompileOutcome outcome = test_compiler().compile(kernel.request());
  ASSERT_EQ(outcome.kind, Kind::kCompiled) << outcome.message << "\n" << outcome.log;
  EXPECT_TRUE(has(outcome.kernel.ir, "tt.func public @relu(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}"))
      << outcome.kernel.ir;
  EXPECT_TRUE(has(outcome.kernel.ir, "%n: i32 loc(")) << "n is not aligned";
  EXPECT_TRUE(has(outcome.kernel.ir, "tensor<128x"));
  EXPECT_EQ(outcome.kernel.signature, (std::vector<KernelParameter>{{.argument = 0, .path = {}, .type = "*fp32"},
                                                                    {.argument = 1, .path = {}, .type = "*fp32"},
                                                                    {.argument = 2, .path = {}, .type = "i32"}}));
  EXPECT_EQ(outcome.kernel.num_warps, 4);
  EXPECT_EQ(outcome.kernel.num_stages, 3);
  EXPECT_EQ(outcome.kernel.num_ctas, 1);
  EXPECT_TRUE(outcome.kernel.cubin.empty());
  EXPECT_FALSE(outcome.cached);
  EXPECT_GT(outcome.milliseconds, 0);
  // locations name lines of the composed file, which lead back to the user's
  EXPECT_TRUE(has(outcome.kernel.ir, "loc(\"kernel.py\":8:"));
  EXPECT_EQ(outcome.kernel.source.code(8), "x = tl.load(x_ptr + offsets, mask=mask, other=0.0)");
  EXPECT_EQ(outcome.kernel.source.original(8), (program::SourceLine{0, 4}));
}

TEST(KernelCompiler, KernelsMayCallTheirFunctionsAndReadTheirConstants) {
  TestKernel kernel = make_kernel(
      "def k(x):\n    tl.store(x, twice(tl.load(x)) + SHIFT + LIMIT + PAIR[1] + exp(1.0) + m.pi)\n\n"
      "def twice(v):\n    return (v * 2).to(KIND)\n",
      {{"x", "*fp32", {}}});
  kernel.kernel.constants = {{"KIND", "tl.dtype('fp32')"},
                             {"LIMIT", "tl.constexpr(float('inf'))"},
                             {"PAIR", "tl.constexpr((1, -2.5, ))"},
                             {"SHIFT", "tl.constexpr(3)"}};
  kernel.kernel.imports = {{"exp", "triton.language:exp"}, {"m", "math"}, {"tl", "triton.language"}};
  expect_compiled(kernel);
}

TEST(KernelCompiler, ConstantsOfAllKinds) {
  expect_compiled(storing("C", integer(7)), "7.000000e+00");
  expect_compiled(storing("C", {.data = 2.5}), "2.500000e+00");
  expect_compiled(storing("C", {.data = std::numeric_limits<double>::infinity()}), "0x7F800000");
  expect_compiled(storing("1.0 if C else 2.0", {.data = true}), "1.000000e+00");
  expect_compiled(storing("1.0 if C is None else 2.0"), "1.000000e+00");
  expect_compiled(storing("1.0 if C == 'relu' else 2.0", {.data = std::string("relu")}), "1.000000e+00");
  expect_compiled(storing("C[1]", {.data = Value::List{integer(1), integer(9)}}), "9.000000e+00");
  expect_compiled(storing("tl.load(x).to(C).to(tl.float32)", symbol("tl.fp16")), "f16");
  expect_compiled(storing("tl.load(x).to(C).to(tl.float32)", symbol("tl.bfloat16")), "bf16");
  expect_compiled(storing("tl.load(x.to(C)).to(tl.float32)", symbol("tl.pointer<int32>")), "i32");
  TestKernel with_function = storing("C(tl.load(x))", symbol("square"));
  with_function.kernel.functions.push_back({"square", "def square(v):\n    return v * v\n", {0, 10}});
  expect_compiled(with_function, "arith.mulf");
}

TEST(KernelCompiler, AnnotationsMayNameModulesThatAreNotThere) {
  const TestKernel dotted = make_kernel("def k(x: torch.Tensor, n: np.int32) -> None:\n    tl.store(x, n)\n",
                                        {{"x", "*fp32", {}}, {"n", "i32", {}}});
  EXPECT_EQ(test_compiler().compile(dotted.request()).kind, Kind::kCompiled);
  const TestKernel bare = make_kernel("def k(x: Tensor):\n    tl.store(x, 1.0)\n", {{"x", "*fp32", {}}});
  const CompileOutcome outcome = test_compiler().compile(bare.request());
  EXPECT_EQ(outcome.kind, Kind::kError);
  EXPECT_EQ(outcome.message, "Tensor is not defined");
  EXPECT_EQ(outcome.at.line, 1);
}

TEST(KernelCompiler, TuplesAndDescriptorsAreTakenApart) {
  const TestKernel tuple = make_kernel(
      "def k(t):\n    tl.store(t[1], t[0] + t[2][0])\n",
      {{"t",
        "(constexpr,*fp32,(i32,constexpr))",
        {.data = Value::List{integer(5), {.data = program::TensorRef{0}}, {.data = Value::List{integer(3), {}}}}}}});
  expect_compiled(tuple, "@k(%t: !tt.ptr<f32>");
  const CompileOutcome outcome = test_compiler().compile(tuple.request());
  ASSERT_EQ(outcome.kernel.signature.size(), 2u);
  EXPECT_EQ(outcome.kernel.signature[1].path, (std::vector<int>{2, 0}));

  const TestKernel descriptor =
      make_kernel("def k(d, B: tl.constexpr):\n    d.store([0, 0], d.load([B, 0]) + d.shape[0])\n",
                  {{"d", "tensordesc<fp32[32, 64]>", {}}, {"B", "constexpr", integer(32)}});
  expect_compiled(descriptor, "!tt.tensordesc<");
  for (const char* target : {"h200", "a100"}) {
    const CompileOutcome made = test_compiler().compile(descriptor.request(target));
    ASSERT_EQ(made.kind, Kind::kCompiled) << made.message << made.log;
    const std::string head = made.kernel.ir.substr(made.kernel.ir.find("@k("), 2000);
    const std::string parameters = head.substr(0, head.find(") attributes"));
    std::size_t count = 0;  // each parameter has its name, or its number, once
    for (std::size_t at = parameters.find('%'); at != std::string::npos; at = parameters.find('%', at + 1)) ++count;
    EXPECT_EQ(made.kernel.signature.size(), count) << parameters;
  }
}

// The types of a function's parameters, and how PTX declares them.
std::string declared(const std::string& type) {
  if (type.starts_with("tensordesc<")) return ".align 64 .b8";
  if (type.starts_with("*") || type == "i64") return ".u64";
  return type == "i1" ? ".u8" : type == "i32" ? ".u32" : type == "fp32" ? ".f32" : "?" + type;
}

TEST(KernelCompiler, TheSignatureIsThatOfTheMachineCode) {
  const TestKernel kernel = make_kernel(
      "def k(d, t, B: tl.constexpr, e):\n"
      "    e.store([0], tl.sum(d.load([B, 0]), 1) + t[0] + d.shape[0] + e.shape[0] + t[2])\n",
      {{"d", "tensordesc<fp32[32, 64]>", {}},
       {"t",
        "(constexpr,*fp32,fp32)",
        {.data = Value::List{integer(5), {.data = program::TensorRef{0}}, {.data = 1.5}}}},
       {"B", "constexpr", integer(32)},
       {"e", "tensordesc<fp32[32]>", {}}});
  for (const char* target : {"h200", "a100"}) {
    const CompileOutcome made = test_compiler().compile(kernel.request(target, /*machine_code=*/true));
    ASSERT_EQ(made.kind, Kind::kCompiled) << made.message << made.log;
    const std::string& ptx = made.kernel.ptx;
    std::size_t at = ptx.find(".entry k(");
    for (const KernelParameter& parameter : made.kernel.signature) {
      at = ptx.find(".param ", at + 1);
      ASSERT_NE(at, std::string::npos);
      EXPECT_EQ(ptx.substr(at + 7, declared(parameter.type).size()), declared(parameter.type));
    }
    const std::string rest = ptx.substr(at + 7, ptx.find("\n)", at) - at);
    EXPECT_EQ(std::count(rest.begin(), rest.end(), ','), 2) << "Triton's own: " << rest;
    ASSERT_EQ(made.kernel.descriptors.size(), std::string(target) == "h200" ? 2u : 0u);
    if (made.kernel.descriptors.empty()) continue;
    EXPECT_EQ(made.kernel.descriptors[0].element_bytes, 4);
    EXPECT_EQ(made.kernel.descriptors[0].block.size(), 2u);
    EXPECT_EQ(made.kernel.descriptors[1].block, (std::vector<int>{32}));
  }
}

TEST(KernelCompiler, InductorsHelpersCostNoImportOfTorch) {
  TestKernel kernel = storing("triton_helpers.maximum(tl.load(x), 1.0) + libdevice.rsqrt(2.0)");
  kernel.kernel.imports = {{"libdevice", "triton.language.extra.libdevice"},
                           {"tl", "triton.language"},
                           {"triton_helpers", "torch._inductor.runtime.triton_helpers"}};
  expect_compiled(kernel);
  TestKernel by_name = storing("maximum(tl.load(x), 1.0)");
  by_name.kernel.imports = {{"maximum", "torch._inductor.runtime.triton_helpers:maximum"}, {"tl", "triton.language"}};
  expect_compiled(by_name);
  TestKernel torch = storing("1.0 if hasattr(compat.torch, 'Tensor') else 2.0");
  torch.kernel.imports = {{"compat", "torch._inductor.runtime.triton_compat"}, {"tl", "triton.language"}};
  expect_compiled(torch, "2.000000e+00");
}

TEST(KernelCompiler, MachineCodeComesWithItsFigures) {
  const TestKernel kernel = make_kernel(
      "def k(x, B: tl.constexpr):\n    o = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]\n"
      "    a = tl.load(x + o)\n    tl.store(x + o, tl.dot(a, a))\n",
      {{"x", "*fp16", {}}, {"B", "constexpr", integer(64)}});
  const CompileOutcome outcome = test_compiler().compile(kernel.request("h200", /*machine_code=*/true));
  ASSERT_EQ(outcome.kind, Kind::kCompiled) << outcome.message << "\n" << outcome.log;
  EXPECT_TRUE(
      outcome.kernel.cubin.starts_with("\x7f"
                                       "ELF"));
  EXPECT_TRUE(has(outcome.kernel.ptx, ".target sm_90a"));
  EXPECT_EQ(outcome.kernel.entry, "k");
  EXPECT_GT(outcome.kernel.shared_bytes, 64 * 64 * 2 - 1);
  EXPECT_GT(outcome.kernel.registers, 16);
  EXPECT_LT(outcome.kernel.registers, 256);
  EXPECT_EQ(outcome.kernel.stack_bytes, 0);
  const CompileOutcome older = test_compiler().compile(kernel.request("a100", /*machine_code=*/true));
  ASSERT_EQ(older.kind, Kind::kCompiled) << older.message;
  EXPECT_TRUE(has(older.kernel.ptx, ".target sm_80"));
}

TEST(KernelCompiler, SpilledRegistersAreOnTheStack) {
  TestKernel kernel = make_kernel(
      "def k(x, B: tl.constexpr):\n    o = tl.arange(0, B)\n    a = tl.load(x + o)\n"
      "    tl.store(x + o, a * tl.sum(a, 0))\n",
      {{"x", "*fp32", {}}, {"B", "constexpr", integer(4096)}});
  kernel.variant.options = {{"num_warps", integer(1)}, {"maxnreg", integer(32)}};
  const CompileOutcome outcome = test_compiler().compile(kernel.request("h200", /*machine_code=*/true));
  ASSERT_EQ(outcome.kind, Kind::kCompiled) << outcome.message << "\n" << outcome.log;
  EXPECT_EQ(outcome.kernel.num_warps, 1);
  EXPECT_LE(outcome.kernel.registers, 32);
  EXPECT_GT(outcome.kernel.stack_bytes, 0);
}

TEST(KernelCompiler, MoreThanTheTargetHasIsAnError) {
  TestKernel large = make_kernel(
      "def k(x, n, B: tl.constexpr):\n    o = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]\n"
      "    acc = tl.zeros((B, B), tl.float32)\n    for i in range(n):\n"
      "        acc = tl.dot(tl.load(x + i + o), tl.load(x + 2 * i + o), acc)\n    tl.store(x + o, acc)\n",
      {{"x", "*fp32", {}}, {"n", "i32", {}}, {"B", "constexpr", integer(128)}});
  large.variant.options = {{"num_warps", integer(8)}, {"num_stages", integer(5)}};
  const CompileOutcome shared = test_compiler().compile(large.request("h200", /*machine_code=*/true));
  EXPECT_EQ(shared.kind, Kind::kError);
  EXPECT_TRUE(has(shared.message, "shared memory")) << shared.message;
  EXPECT_TRUE(has(shared.message, "h200 allows 232448")) << shared.message;
  EXPECT_EQ(shared.exception, "OutOfResources");

  TestKernel wide = relu();
  wide.variant.options = {{"num_warps", integer(64)}};
  const CompileOutcome threads = test_compiler().compile(wide.request());
  EXPECT_EQ(threads.kind, Kind::kError);
  EXPECT_TRUE(has(threads.message, "2048 threads")) << threads.message;
}

TEST(KernelCompiler, RefusesFilesWithMoreThanAKernel) {
  struct Case {
    const char* source;
    const char* reason;
  };
  for (const Case& one : {
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\n\nimport os\n", "import of os"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\nfrom os import path\n", "import of os"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\nprint(3)\n", "Expr beside"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\nA = open('x')\n", "no literal: open('x')"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\nA = tl.__loader__\n", "no literal"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\nclass A: pass\n", "ClassDef beside"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\nwhile True: pass\n", "While beside"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\n@print\ndef f(): pass\n", "other decorators"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\nasync def f(): pass\n", "AsyncFunctionDef"},
           Case{"def k(x, C: tl.constexpr = print(3)):\n    tl.store(x, 1.0)\n", "a default of k"},
           Case{"def k(x, C: tl.constexpr = [i for i in (1,)]):\n    tl.store(x, 1.0)\n", "a default of k"},
           Case{"def k(x: print(3), C: tl.constexpr):\n    tl.store(x, 1.0)\n", "an annotation of k"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x,\n", "no Python"},
           Case{"def k(x, C: tl.constexpr):\n    tl.store(x, 1.0)\n  y = 3\n", "no Python"},
       }) {
    TestKernel kernel = storing("1.0");
    kernel.kernel.functions[0].source = one.source;
    const CompileOutcome outcome = test_compiler().compile(kernel.request());
    EXPECT_EQ(outcome.kind, Kind::kRefused) << one.source << outcome.message;
    EXPECT_TRUE(has(outcome.message, one.reason)) << outcome.message;
    EXPECT_EQ(outcome.function.empty(), outcome.at.file < 0);
  }
  TestKernel constant = storing("1.0");
  constant.kernel.constants = {{"A", "__import__('os')"}};
  EXPECT_EQ(test_compiler().compile(constant.request()).kind, Kind::kRefused);
  TestKernel missing = storing("1.0");
  missing.kernel.imports.emplace_back("t", "triton.no_such_module");
  EXPECT_EQ(test_compiler().compile(missing.request()).kind, Kind::kRefused);
  TestKernel arguments = storing("1.0");
  arguments.variant.arguments.pop_back();
  EXPECT_EQ(test_compiler().compile(arguments.request()).kind, Kind::kRefused);
  TestKernel type = storing("1.0");
  type.variant.arguments[0].type = "(";
  EXPECT_EQ(test_compiler().compile(type.request()).kind, Kind::kRefused);
}

TEST(KernelCompiler, ANameThatTheKernelDidNotImportIsNotThere) {
  TestKernel kernel = make_kernel("def k(x):\n    tl.store(x, A)\n", {{"x", "*fp32", {}}});
  kernel.kernel.imports.clear();
  kernel.kernel.constants = {{"A", "tl.constexpr(1.0)"}};
  const CompileOutcome outcome = test_compiler().compile(kernel.request());
  EXPECT_EQ(outcome.kind, Kind::kError);
  EXPECT_EQ(outcome.message, "tl is not defined");
}

TEST(KernelCompiler, TheCacheGivesTheSameAnswerWithoutCompiling) {
  const base::ScratchFolder folder;
  KernelCompilerOptions options = test_compiler_options();
  options.cache = folder.path("cache");
  KernelCompiler compiler(options);
  const TestKernel kernel = relu();
  const CompileOutcome first = compiler.compile(kernel.request());
  ASSERT_EQ(first.kind, Kind::kCompiled) << first.message;
  EXPECT_FALSE(first.cached);
  const CompileOutcome second = compiler.compile(kernel.request());
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.kind, Kind::kCompiled);
  EXPECT_EQ(second.kernel.ir, first.kernel.ir);
  EXPECT_EQ(second.kernel.signature, first.kernel.signature);
  EXPECT_EQ(second.kernel.num_warps, first.kernel.num_warps);

  // anything that matters makes another entry; the target's name and the user's lines do not
  EXPECT_FALSE(compiler.compile(relu(256).request()).cached);
  EXPECT_FALSE(compiler.compile(kernel.request("a100")).cached);
  EXPECT_TRUE(compiler.compile(kernel.request("h100")).cached);
  TestKernel changed = kernel;
  changed.variant.options.back().second = integer(8);
  EXPECT_FALSE(compiler.compile(changed.request()).cached);
  changed = kernel;
  changed.variant.arguments[0].aligned = false;
  EXPECT_FALSE(compiler.compile(changed.request()).cached);
  changed = kernel;
  changed.variant.arguments[2].type = "i64";
  EXPECT_FALSE(compiler.compile(changed.request()).cached);
  changed = kernel;
  changed.variant.arguments[2].value = integer(99);
  changed.kernel.functions[0].at.line = 70;
  const CompileOutcome moved = compiler.compile(changed.request());
  EXPECT_TRUE(moved.cached);
  EXPECT_EQ(moved.kernel.source.original(8).line, 73);

  changed = kernel;
  changed.kernel.functions[0].source += "\n    # no more\n";
  EXPECT_TRUE(compiler.compile(changed.request()).cached);

  // of several in one process all are kept
  const TestKernel one = relu(32), other = relu(512);
  const std::vector<CompileRequest> both = {one.request(), other.request()};
  for (const bool known : {false, true}) {
    for (const CompileOutcome& outcome : compiler.compile_all(both)) EXPECT_EQ(outcome.cached, known);
  }

  // machine code has its own, and all of it comes back
  const CompileOutcome machine = compiler.compile(kernel.request("h200", true));
  EXPECT_FALSE(machine.cached);
  const CompileOutcome again = compiler.compile(kernel.request("h200", true));
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.kernel.cubin, machine.kernel.cubin);
  EXPECT_EQ(again.kernel.registers, machine.kernel.registers);

  // errors too
  const TestKernel wrong = relu(100);
  const CompileOutcome error = compiler.compile(wrong.request());
  const CompileOutcome same = compiler.compile(wrong.request());
  EXPECT_FALSE(error.cached);
  EXPECT_TRUE(same.cached);
  EXPECT_EQ(same.kind, Kind::kError);
  EXPECT_EQ(same.message, error.message);
  EXPECT_EQ(same.at, error.at);

  // damaged entries are made again
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(options.cache)) {
    if (entry.is_regular_file()) base::write_file_atomically(entry.path(), "tritonrl compilation 1\nnonsense");
  }
  const CompileOutcome repaired = compiler.compile(kernel.request());
  EXPECT_FALSE(repaired.cached);
  EXPECT_EQ(repaired.kernel.ir, first.kernel.ir);
  EXPECT_TRUE(compiler.compile(kernel.request()).cached);
}

TEST(KernelCompiler, StopsWhenTheTimeIsOver) {
  KernelCompiler compiler(test_compiler_options());
  const TestKernel kernel = relu();
  const CompileOutcome outcome = compiler.compile(kernel.request(), base::Budget::of(0));
  EXPECT_EQ(outcome.kind, Kind::kTimeout);
  EXPECT_NE(outcome.message.find("time is over"), std::string::npos) << outcome.message;
}

TEST(KernelCompiler, ACacheThatCannotBeWrittenIsTheUsersToFix) {
  KernelCompilerOptions options = test_compiler_options();
  options.cache = "/proc/no/cache";
  try {
    KernelCompiler compiler(options);
    FAIL() << "a cache in /proc";
  } catch (const base::UserError& error) {
    EXPECT_TRUE(has(error.what(), "/proc/no/cache")) << error.what();
  }
}

TEST(KernelCompiler, ThreadsShareOne) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 3; ++i) {
        const std::int64_t block = 32 << ((t + i) % 4);
        const TestKernel kernel = relu(block);
        const CompileOutcome outcome = test_compiler().compile(kernel.request());
        EXPECT_EQ(outcome.kind, Kind::kCompiled) << outcome.message;
        EXPECT_TRUE(has(outcome.kernel.ir, "tensor<" + std::to_string(block) + "x"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(KernelCompiler, LeavesNothingBehind) {
  expect_compiled(relu());
  const int descriptors = open_descriptors(), descendants = lasting_descendants();
  for (int i = 0; i < 5; ++i) test_compiler().compile(relu().request("h200", i % 2 == 1));
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_EQ(lasting_descendants(), descendants);
}

}  // namespace
}  // namespace tritonrl::python
