// What launches pass: as compiled kernels take it, from the recorded argument to the parameter.
#include "machine/launch_arguments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "program/target.h"
#include "python/kernel_arguments.h"
#include "tests/machine/launched.h"
#include "tests/python/test_compiler.h"

namespace tritonrl::machine {
namespace {

using program::KernelParameter;
using program::Value;
using python::integer;
using Part = KernelParameter::Part;

constexpr std::uint64_t kApart = 1 << 20;

std::uint64_t address_of(int storage) {
  return static_cast<std::uint64_t>(storage + 1) * kApart;
}

// Three tensors of float32, each with a storage of its own.
program::Program three_tensors() {
  program::Program out;
  out.storages = {{.bytes = 4096}, {.bytes = 4096}, {.bytes = 4096}};
  out.tensors = {{.storage = 0, .offset = 0, .sizes = {8, 16}, .strides = {16, 1}},
                 {.storage = 1, .offset = 4, .sizes = {8}, .strides = {1}},
                 {.storage = 2, .offset = 0, .sizes = {1}, .strides = {1}}};
  return out;
}

Value tensor(int index) {
  return {.data = program::TensorRef{index}};
}

// Numbers, and addresses as numbers.
std::vector<double> numbers(const std::vector<Argument>& arguments) {
  std::vector<double> out;
  for (const Argument& one : arguments) {
    if (const auto* pointer = std::get_if<PointerArgument>(&one)) {
      out.push_back(static_cast<double>(pointer->address));
    } else if (const auto* whole = std::get_if<std::int64_t>(&one)) {
      out.push_back(static_cast<double>(*whole));
    } else {
      out.push_back(std::get<double>(one));
    }
  }
  return out;
}

TEST(LaunchArguments, AreTakenWhereTheSignatureSays) {
  program::LaunchVariant variant;
  variant.arguments = {
      {"t", "", {.data = Value::List{integer(5), tensor(1), {.data = Value::List{{.data = 2.5}, {.data = true}}}}}},
      {"n", "", integer(7)},
      {"d", "", {.data = program::Descriptor{{0}, {8, 16}, {16, 1}, {4, 8}, true, false}}}};
  const std::vector<KernelParameter> signature = {
      {0, {1}, Part::kValue, 0, ""}, {0, {2, 1}, Part::kValue, 0, ""}, {0, {2, 0}, Part::kValue, 0, ""},
      {1, {}, Part::kValue, 0, ""},  {2, {}, Part::kBase, 0, ""},      {2, {}, Part::kShape, 1, ""},
      {2, {}, Part::kStride, 0, ""}, {2, {}, Part::kPadding, 0, ""},   {2, {}, Part::kRounding, 0, ""}};
  const auto made = arguments_of(three_tensors(), variant, signature, address_of);
  ASSERT_TRUE(made.ok()) << made.error();
  EXPECT_EQ(numbers(made.value()), (std::vector<double>{2 * kApart + 16, 1, 2.5, 7, kApart, 16, 16, 1, 0}));

  const std::vector<KernelParameter> whole = {{2, {}, Part::kDescriptor, 0, ""}};
  const auto one = arguments_of(three_tensors(), variant, whole, address_of);
  ASSERT_TRUE(one.ok()) << one.error();
  const auto& descriptor = std::get<DescriptorArgument>(one.value().at(0));
  EXPECT_EQ(descriptor.base, kApart);
  EXPECT_EQ(descriptor.strides, (std::vector<std::int64_t>{16, 1}));
  EXPECT_TRUE(descriptor.nan_outside);
  EXPECT_FALSE(descriptor.rounds_to_tf32);
}

TEST(LaunchArguments, RefuseASignatureThatIsNotTheirs) {
  program::LaunchVariant variant;
  variant.arguments = {{"t", "", {.data = Value::List{integer(5), {}}}},
                       {"d", "", {.data = program::Descriptor{{0}, {8, 16}, {16, 1}, {4, 8}}}}};
  for (const KernelParameter& bad : std::vector<KernelParameter>{{-1, {}, Part::kValue, 0, ""},
                                                                 {2, {}, Part::kValue, 0, ""},
                                                                 {0, {}, Part::kValue, 0, ""},
                                                                 {0, {1}, Part::kValue, 0, ""},
                                                                 {0, {2}, Part::kValue, 0, ""},
                                                                 {0, {-1}, Part::kValue, 0, ""},
                                                                 {0, {0, 0}, Part::kValue, 0, ""},
                                                                 {0, {0}, Part::kBase, 0, ""},
                                                                 {1, {}, Part::kValue, 0, ""},
                                                                 {1, {}, Part::kShape, 2, ""},
                                                                 {1, {}, Part::kStride, -1, ""}}) {
    EXPECT_FALSE(arguments_of(three_tensors(), variant, {&bad, 1}, address_of).ok()) << bad.argument;
  }
}

// Compiled for a target, launched once on the storages of `three_tensors`: a table of 8 rows of 16, and places for
// what comes out.
struct Launched {
  explicit Launched(const python::TestKernel& kernel, const char* target, std::vector<float> table = {})
      : table_(std::move(table)) {
    if (table_.empty()) {
      for (int i = 0; i < 8 * 16; ++i) table_.push_back(static_cast<float>(i));
    }
    Array<float> x(memory, table_, "x"), out(memory, std::vector<float>(1024, -1), "out"),
        count(memory, std::vector<float>(1024, -1), "count");
    const std::array<std::uint64_t, 3> places = {address(x), address(out), address(count)};
    const python::CompileOutcome compiled = python::test_compiler().compile(kernel.request(target));
    EXPECT_EQ(compiled.kind, python::CompileOutcome::Kind::kCompiled) << compiled.message << compiled.log;
    const auto arguments = arguments_of(three_tensors(), kernel.variant, compiled.kernel.signature,
                                        [&](int storage) { return places.at(static_cast<std::size_t>(storage)); });
    EXPECT_TRUE(arguments.ok()) << arguments.error();
    outcome = kernel_of(compiled.kernel.ir).launch({1, 1, 1}, arguments.value(), memory);
    for (const Finding& finding : outcome.findings) ADD_FAILURE() << target << ": " << finding.message;
    EXPECT_TRUE(outcome.completed);
    result = out.values();
    counted = count.values();
  }
  static std::uint64_t address(const Array<float>& array) {
    return std::get<PointerArgument>(array.argument()).address;
  }

  Memory memory;
  std::vector<float> table_, result, counted;
  LaunchOutcome outcome;
};

TEST(LaunchArguments, TuplesMayHoldConstants) {
  const python::TestKernel kernel = python::make_kernel(
      "def k(t, n):\n    tl.store(t[1], t[0] + t[2][1] + n)\n    tl.store(t[2][2], t[2][0])\n",
      {{"t",
        "(constexpr,*fp32,(constexpr,i32,*fp32))",
        {.data = Value::List{integer(5), tensor(1), {.data = Value::List{integer(40), integer(300), tensor(2)}}}}},
       {"n", "i32", integer(2000)}});
  for (const char* target : {"h200", "a100"}) {
    const Launched launched(kernel, target);
    EXPECT_EQ(launched.result[4], 2305) << target;
    EXPECT_EQ(launched.counted[0], 40) << target;
  }
}

// A block of 8 by 16 from row 4, column 8 on, half of which lies outside; then how many rows there are, and a number
// that is passed behind the descriptor.
python::TestKernel reading(program::Descriptor descriptor) {
  return python::make_kernel(
      "def k(d, out, count, n, B: tl.constexpr):\n"
      "    at = tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :]\n"
      "    tl.store(out + at, d.load([4, B]))\n"
      "    tl.store(count, d.shape[0] + 100 * d.shape[1] + 10000 * d.strides[0] + n)\n",
      {{"d", "tensordesc<fp32[8, 16]>", {.data = std::move(descriptor)}},
       {"out", "*fp32", tensor(1)},
       {"count", "*fp32", tensor(2)},
       {"n", "i32", integer(1'000'000)},
       {"B", "constexpr", integer(8)}});
}

TEST(LaunchArguments, DescriptorsArePassedWholeAndTakenApart) {
  for (const char* target : {"h200", "l40s", "a100"}) {
    for (const bool nan : {false, true}) {
      const Launched launched(reading({{0}, {8, 16}, {16, 1}, {8, 16}, nan, false}), target);
      for (std::size_t row = 0; row < 8; ++row) {
        for (std::size_t column = 0; column < 16; ++column) {
          const float got = launched.result[4 + row * 16 + column];
          if (row < 4 && column < 8) {
            EXPECT_EQ(got, launched.table_[(row + 4) * 16 + column + 8]) << target;
          } else {
            EXPECT_TRUE(nan ? std::isnan(got) : got == 0) << target << " " << row << " " << column << " " << got;
          }
        }
      }
      EXPECT_EQ(launched.counted[0], 1'161'608) << target;
    }
  }
}

TEST(LaunchArguments, DescriptorsMayRoundToTf32) {
  const float ulp = std::ldexp(1.0F, -10);  // of tf32, at 1
  std::vector<float> table(8 * 16, 1 + ulp * 0.4F);
  table[4 * 16 + 8] = 1 + ulp * 0.6F;
  table[4 * 16 + 9] = 1 + ulp * 0.5F;
  table[4 * 16 + 10] = 1 + ulp * 1.5F;
  for (const char* target : {"h200", "a100"}) {
    const Launched launched(reading({{0}, {8, 16}, {16, 1}, {8, 16}, false, true}), target, table);
    EXPECT_EQ(launched.result[4], 1 + ulp) << target;
    EXPECT_EQ(launched.result[5], 1) << target << ": ties go to the even one";
    EXPECT_EQ(launched.result[6], 1 + 2 * ulp) << target;
    EXPECT_EQ(launched.result[7], 1) << target;
  }
}

// The same where a kernel makes the descriptor itself.
TEST(LaunchArguments, DescriptorsOfTheKernelsOwnPadAsTheyAreTold) {
  const python::TestKernel kernel = python::make_kernel(
      "def k(x, out, P: tl.constexpr):\n"
      "    d = tl.make_tensor_descriptor(x, [8, 16], [16, 1], [8, 16], padding_option=P)\n"
      "    at = tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :]\n"
      "    tl.store(out + at, d.load([4, 8]))\n",
      {{"x", "*fp32", tensor(0)}, {"out", "*fp32", tensor(1)}, {"P", "constexpr", {.data = std::string("nan")}}});
  for (const char* target : {"h200", "a100"}) {
    const Launched launched(kernel, target);
    EXPECT_EQ(launched.result[4], launched.table_[4 * 16 + 8]) << target;
    EXPECT_TRUE(std::isnan(launched.result[4 + 8])) << target;
  }
}

}  // namespace
}  // namespace tritonrl::machine
