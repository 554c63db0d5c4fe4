#include "program/validate.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/program/build_program.h"

namespace tritonrl::program {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// x [4, 8] is made by rand, y by relu and launched on; every rule is shown by one change of this.
Program valid_program() {
  BuildProgram build;
  const Value x = build.tensor({4, 8});
  const Value y = build.tensor({4, 8});
  build.call("aten::rand", {integers({4, 8})}, x);
  build.call("aten::relu", {x}, y);
  build.launch("kernel", {x, y});
  build.program.kernels[0].functions = {{.name = "kernel", .source = "def kernel(x, y): pass", .at = {0, 3}}};
  build.program.kernels[0].constants = {{"SCALE", "2"}};
  build.program.kernels[0].imports = {{"tl", "triton.language"}};
  build.program.files = {"task.py"};
  build.program.forwards[0].outputs.leaf = y;
  return build.program;
}

AtenCall& call(Program& program, std::size_t step = 1) {
  return std::get<AtenCall>(program.forwards[0].steps[step]);
}
Launch& launch(Program& program) {
  return std::get<Launch>(program.forwards[0].steps[2]);
}
Value tensor(int index) {
  return {TensorRef{index}};
}

using Change = std::function<void(Program&)>;

void expect_fault(const Change& change, const std::string& message, const ValidateOptions& options = {}) {
  Program program = valid_program();
  change(program);
  const std::optional<std::string> fault = find_fault(program, options);
  ASSERT_TRUE(fault) << "wanted: " << message;
  EXPECT_NE(fault->find(message), std::string::npos) << *fault;
}

void expect_valid(const Change& change, const ValidateOptions& options = {}) {
  Program program = valid_program();
  change(program);
  EXPECT_EQ(find_fault(program, options), std::nullopt);
}

TEST(Validate, TheProgramThatTheOtherCasesChangeIsValid) {
  expect_valid([](Program&) {});
}

TEST(Validate, Storages) {
  expect_fault([](Program& p) { p.storages[0].bytes = -1; }, "storage 0 has -1 bytes");
  expect_fault([](Program& p) { p.storages[1].bytes = kMost; }, "storage 1 has 9223372036854775807 bytes");
  expect_fault([](Program&) {}, "storage 0 has 128 bytes", {.max_storage_bytes = 127});
  expect_valid([](Program&) {}, {.max_storage_bytes = 128});
  expect_fault([](Program& p) { p.storages[0].constant = "short"; }, "storage 0 is not as long as its constant");
}

// A tensor over the 128 bytes of storage 0, and what is said of it; nothing: it fits.
struct View {
  std::int64_t offset;
  std::vector<std::int64_t> sizes, strides;
  DType dtype;
  const char* fault;
};

class ValidateView : public ::testing::TestWithParam<View> {};

TEST_P(ValidateView, StaysInsideItsStorage) {
  const View& view = GetParam();
  const Change change = [&](Program& p) {
    p.tensors.push_back(
        {.storage = 0, .dtype = view.dtype, .offset = view.offset, .sizes = view.sizes, .strides = view.strides});
  };
  if (view.fault == nullptr) return expect_valid(change);
  expect_fault(change, view.fault);
}

constexpr auto kF32 = DType::kFloat32;
constexpr auto kC128 = DType::kComplex128;
constexpr std::int64_t kHuge = std::int64_t{1} << 60;
const std::vector<std::int64_t> kRank65(65, 1);

INSTANTIATE_TEST_SUITE_P(
    , ValidateView,
    ::testing::Values(
        View{0, {32}, {1}, kF32, nullptr}, View{0, {}, {}, kF32, nullptr}, View{31, {}, {}, kF32, nullptr},
        View{0, {2, 1000}, {31, 0}, kF32, nullptr}, View{32, {0}, {1}, kF32, nullptr},
        View{0, {0, 9}, {kMost, 1}, kF32, nullptr}, View{0, {1, 32}, {kMost, 1}, kF32, nullptr},
        View{0, {8}, {1}, kC128, nullptr},  //
        View{0, {33}, {1}, kF32, "tensor 2 reaches beyond its storage of 128 bytes"},
        View{1, {32}, {1}, kF32, "beyond its storage"}, View{32, {}, {}, kF32, "beyond its storage"},
        View{0, {2}, {32}, kF32, "beyond its storage"}, View{0, {9}, {1}, kC128, "beyond its storage"},
        View{0, {2, 2}, {31, 1}, kF32, "beyond its storage"},
        View{kHuge, {}, {}, kC128, "beyond any storage"},  // 16 · 2^60 would come round to 0
        View{kHuge / 4, {}, {}, kC128, "beyond any storage"}, View{kMost, {}, {}, kF32, "beyond any storage"},
        View{kMost, {1}, {1}, kC128, "beyond any storage"}, View{kMost, {0}, {1}, kF32, "beyond any storage"},
        View{0, {2}, {kMost}, kF32, "beyond any storage"}, View{0, {kHuge, 1}, {kMost, 1}, kF32, "beyond any storage"},
        View{0, {3, 3}, {kMost, kMost}, kF32, "beyond any storage"},
        View{0, {kMost, kMost}, {0, 0}, kF32, "too many elements"},
        View{0, {kMost, kMost, 0}, {0, 0, 0}, kF32, "too many elements"}, View{-1, {1}, {1}, kF32, "no valid shape"},
        View{0, {1}, {1, 1}, kF32, "no valid shape"}, View{0, kRank65, kRank65, kF32, "no valid shape"},
        View{0, {-1}, {1}, kF32, "negative size or stride"}, View{0, {0, -1}, {1, 1}, kF32, "negative size or stride"},
        View{31, {2}, {-1}, kF32, "negative size or stride"},
        View{0, {std::numeric_limits<std::int64_t>::min()}, {1}, kF32, "negative size or stride"}));

TEST(Validate, IndicesNameSomething) {
  for (const int bad : {-1, 2, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    expect_fault([&](Program& p) { p.tensors[0].storage = bad; }, "tensor 0 views no storage");
    expect_fault([&](Program& p) { call(p).args = {tensor(bad)}; }, "there is no such tensor");
    expect_fault([&](Program& p) { call(p).result = tensor(bad); }, "there is no such tensor");
    expect_fault([&](Program& p) { p.state = {{"w", {bad}, false}}; }, "state w: there is no such tensor");
    expect_fault([&](Program& p) { p.forwards[0].outputs.leaf = tensor(bad); }, "outputs of forward 0");
    expect_fault([&](Program& p) { launch(p).variants[0].arguments[0].value = tensor(bad); }, "no such tensor");
    expect_fault([&](Program& p) { launch(p).kernel = bad; }, "forward 0, step 2 launches no kernel");
  }
}

TEST(Validate, OnlyOperatorsOfTheTable) {
  for (const char* op :
       {"aten::set_.source_Storage", "aten::set_", "aten::resize_", "aten::resize_as_", "aten::from_file", "aten::save",
        "aten::relu.out2", "aten::Relu", "relu", "aten::", "", "prim::Print", "quantized::add", "aten::relu "}) {
    expect_fault([&](Program& p) { call(p).op = op; },
                 "forward 0, step 1: operator " + std::string(op) + " is not allowed");
  }
}

TEST(Validate, ArgumentsFitTheSchema) {
  const auto with = [](std::vector<Value> args, std::vector<std::pair<std::string, Value>> kwargs = {}) {
    return [=](Program& p) { call(p).args = args, call(p).kwargs = kwargs; };
  };
  expect_fault(with({}), "aten::relu: self: missing");
  expect_fault(with({none()}), "self: Tensor wanted, got none");
  expect_fault(with({{std::string("x")}}), "self: Tensor wanted");
  expect_fault(with({list({tensor(0)})}), "self: Tensor wanted");
  expect_fault(with({{Symbol{"x"}}}), "self: Tensor wanted");
  expect_fault(with({{Descriptor{{0}, {1}, {1}, {1}}}}), "self: Tensor wanted");
  expect_fault(with({tensor(0), tensor(0)}), "too many arguments: 2");
  expect_fault(with({tensor(0)}, {{"inplace", flag(true)}}), "inplace: no such argument");
  expect_fault(with({tensor(0)}, {{"self", tensor(0)}}), "self: given twice");
  expect_fault(with({}, {{"self", tensor(0)}, {"self", tensor(0)}}), "self: given twice");
  expect_valid(with({}, {{"self", tensor(0)}}));
}

TEST(Validate, ResultsFitTheSchema) {
  expect_fault([](Program& p) { call(p).result = none(); }, "aten::relu: result: Tensor wanted, got none");
  expect_fault([](Program& p) { call(p).result = number(1.0); }, "result: a number in place of a tensor");
  expect_fault([](Program& p) { call(p).result = list({tensor(1)}); }, "result: Tensor wanted");
  expect_fault(
      [](Program& p) {
        call(p).op = "aten::max.dim";
        call(p).args = {tensor(0), number(std::int64_t{0})};
        call(p).result = list({tensor(1)});
      },
      "result: 2 values wanted");
}

TEST(Validate, NothingIsReadBeforeItIsMade) {
  expect_fault([](Program& p) { call(p).args = {tensor(1)}; }, "reads storage 1 before anything made it");
  expect_fault([](Program& p) { call(p).op = "aten::relu_"; }, "aten::relu_ views memory that nothing made");
  expect_fault([](Program& p) { p.state = {{"w", {0}, false}}; }, "state w: reads storage 0");
  expect_fault([](Program& p) { p.forwards[0].inputs.leaf = tensor(0); }, "inputs of forward 0: reads storage 0");
  expect_fault([](Program& p) { p.forwards[0].steps.erase(p.forwards[0].steps.begin()); }, "reads storage 0");
  expect_fault([](Program& p) { p.forwards[0].steps.erase(p.forwards[0].steps.begin() + 1); },
               "argument x: reads storage 1");
  expect_fault(
      [](Program& p) {
        call(p).op = "aten::add.out";
        call(p).args = {tensor(0), tensor(0)};
        call(p).kwargs = {{"out", tensor(1)}};
      },
      "reads storage 1");
  expect_fault(  // deep inside what forward gives back
      [](Program& p) {
        Structure inner{.kind = Structure::Kind::kLeaf, .leaf = tensor(0), .type = {}, .items = {}};
        p.forwards[0].inputs = {.kind = Structure::Kind::kDict, .leaf = {}, .type = {}, .items = {{"a", inner}}};
      },
      "inputs of forward 0");
}

TEST(Validate, WhatMakesMemory) {
  expect_valid([](Program& p) {  // a constant
    p.storages[0].constant = std::string(128, 'c');
    p.forwards[0].steps.erase(p.forwards[0].steps.begin());
  });
  expect_valid([](Program& p) {  // no bytes, no need
    p.storages.push_back({.bytes = 0, .device = Device::kHost, .constant = {}});
    p.tensors.push_back({.storage = 2, .dtype = kF32, .offset = 0, .sizes = {0}, .strides = {1}});
    call(p).op = "aten::cat";
    call(p).args = {list({tensor(0), tensor(2)})};
  });
  expect_valid([](Program& p) {  // an earlier section
    p.initialise.push_back(p.forwards[0].steps[0]);
    p.state = {{"w", {0}, false}};
    p.forwards[0].inputs.leaf = tensor(0);
  });
  expect_valid([](Program& p) {  // inputs of all forwards exist before the first one runs
    p.forwards.push_back({.make_inputs = {p.forwards[0].steps[0]}, .inputs = {}, .steps = {}, .outputs = {}});
    p.forwards[0].steps.erase(p.forwards[0].steps.begin());
  });
}

TEST(Validate, AViewIsOfMemoryThatIsThere) {
  const auto view = [](const char* op, std::vector<Value> args) {
    return [=](Program& p) { call(p).op = op, call(p).args = args; };
  };
  expect_fault(view("aten::view", {tensor(0), integers({32})}), "aten::view views memory that nothing made");
  expect_fault(view("aten::t", {tensor(0)}), "aten::t views memory that nothing made");
  expect_fault(view("aten::as_strided", {tensor(0), integers({1}), integers({1})}), "views memory that nothing made");
  expect_valid(view("aten::reshape", {tensor(0), integers({32})}));  // copies when it must
  expect_valid([](Program& p) {
    call(p).op = "aten::t";
    p.tensors[1].storage = 0;
  });
}

TEST(Validate, Kernels) {
  const auto kernel = [](Program& p) -> Kernel& { return p.kernels[0]; };
  expect_fault([&](Program& p) { kernel(p).functions.clear(); }, "kernel 0 does not begin with its own function");
  expect_fault([&](Program& p) { kernel(p).name = "other"; }, "kernel 0 does not begin with its own function");
  for (const char* name : {"", "1st", "a b", "a.b", "f(", "a\nimport os", "a;b", "-"}) {
    expect_fault([&](Program& p) { kernel(p).functions.push_back({.name = name, .source = {}, .at = {}}); },
                 "\"" + std::string(name) + "\" is no function's name");
    expect_fault([&](Program& p) { kernel(p).constants[0].first = name; }, "is no constant's name");
    expect_fault([&](Program& p) { kernel(p).imports[0].first = name; }, "kernel kernel imports");
    expect_fault([&](Program& p) { launch(p).variants[0].arguments[1].name = name; }, "is no parameter's name");
  }
  expect_valid([&](Program& p) { kernel(p).functions.push_back({.name = "_f\xc3\xa9_2", .source = {}, .at = {}}); });
}

TEST(Validate, ImportsComeFromTheLibrariesOfKernels) {
  for (const char* good :
       {"triton", "triton.language", "triton.language:exp", "triton.language.extra.cuda:libdevice", "math", "math:pi",
        "torch._inductor.runtime", "torch._inductor.runtime.triton_helpers:maximum"}) {
    expect_valid([&](Program& p) { p.kernels[0].imports[0].second = good; });
  }
  for (const char* bad :
       {"", "os", "sys", "subprocess:run", "triton_evil", "tritonx.y", "maths", "torch", "torch.os",
        "torch._inductor.runtimes", "torch._inductor", ".triton", "os.triton", "Triton", "triton ",
        "triton.a\nimport os", "triton;import os", "triton.language:exp;x", "triton.language as tl"}) {
    expect_fault([&](Program& p) { p.kernels[0].imports[0].second = bad; }, "imports \"" + std::string(bad) + "\"");
  }
}

TEST(Validate, Launches) {
  expect_fault([](Program& p) { launch(p).variants.clear(); }, "no valid list of variants");
  expect_fault([](Program& p) { launch(p).variants.resize(4097, launch(p).variants[0]); }, "no valid list of variants");
  expect_valid([](Program& p) { launch(p).variants.resize(4096, launch(p).variants[0]); });
  expect_valid([](Program& p) { launch(p).variants[0].grid = {2147483647, 65535, 65535}; });
  const auto grid = [](std::int64_t x, std::int64_t y, std::int64_t z) {
    return [=](Program& p) {
      launch(p).variants.push_back(launch(p).variants[0]);
      launch(p).variants[1].grid = {x, y, z};
    };
  };
  expect_fault(grid(0, 1, 1), "grid size 0 in dimension 0");
  expect_fault(grid(-1, 1, 1), "grid size -1 in dimension 0");
  expect_fault(grid(2147483648, 1, 1), "grid size 2147483648 in dimension 0");
  expect_fault(grid(1, 65536, 1), "grid size 65536 in dimension 1");
  expect_fault(grid(1, 1, 65536), "grid size 65536 in dimension 2");
  expect_fault(grid(1, 1, 0), "grid size 0 in dimension 2");
  expect_fault(
      [](Program& p) {
        launch(p).variants[0].options = {{"num_warps", list({tensor(9)})}};
      },
      "option num_warps is a tensor");
}

TEST(Validate, DescriptorsStayInsideTheirStorage) {
  const auto with = [](Descriptor descriptor) {
    return [=](Program& p) { launch(p).variants[0].arguments[0].value = list({{descriptor}}); };
  };
  expect_valid(with({{0}, {4, 8}, {8, 1}, {2, 8}}));
  expect_fault(with({{9}, {4, 8}, {8, 1}, {2, 8}}), "there is no such tensor");
  expect_fault(with({{0}, {5, 8}, {8, 1}, {2, 8}}), "argument x reaches beyond its storage of 128 bytes");
  expect_fault(with({{0}, {4, 8}, {kMost, 1}, {2, 8}}), "beyond any storage");
  expect_fault(with({{0}, {4, 8}, {8}, {2, 8}}), "no valid shape");
  expect_fault(with({{0}, {4, 8}, {8, 1}, {2}}), "no valid block");
  expect_valid(with({{0}, {4, 8}, {8, 1}, {2, 8}, true, true}));
  const auto of_integers = [&](Descriptor descriptor) {
    return [=](Program& p) {
      p.tensors[0].dtype = DType::kInt32;
      with(descriptor)(p);
    };
  };
  expect_fault(of_integers({{0}, {4, 8}, {8, 1}, {2, 8}, true}), "pads a tensor of no floats with NaN");
  expect_fault(of_integers({{0}, {4, 8}, {8, 1}, {2, 8}, false, true}), "rounds to tf32 what is no float32");
}

TEST(Validate, SourceLinesNameAFile) {
  for (const int bad : {1, -2, std::numeric_limits<int>::max()}) {
    expect_fault([&](Program& p) { call(p).at = {bad, 1}; }, "forward 0, step 1 comes from no file");
    expect_fault([&](Program& p) { launch(p).at = {bad, 1}; }, "forward 0, step 2 comes from no file");
    expect_fault([&](Program& p) { p.kernels[0].functions[0].at = {bad, 1}; }, "function kernel comes from no file");
  }
  expect_valid([](Program& p) { call(p).at = {0, 12}; });
}

TEST(Validate, Questions) {
  const auto ask = [](Question question) { return [=](Program& p) { p.forwards[0].steps.emplace_back(question); }; };
  const auto about = [](std::vector<TensorRef> tensors) {
    Question question;
    question.about = std::move(tensors);
    return question;
  };
  expect_valid(ask(about({{0}, {1}})));
  expect_fault(ask(about({})), "forward 0, step 3 asks about nothing");
  expect_fault(ask(about({{0}, {2}})), "there is no such tensor");
  expect_fault([&](Program& p) { p.initialise.emplace_back(about({{0}})); }, "initialise, step 0: reads storage 0");
  Question shape = about({{0}});
  shape.kind = Question::Kind::kShape;
  shape.op = "aten::from_file";
  expect_fault(ask(shape), "operator aten::from_file is not allowed");
  shape.op = "aten::nonzero";
  expect_valid(ask(shape));
  shape.answer = list({tensor(99)});
  expect_fault(ask(shape), "answer is a tensor");
}

TEST(Validate, ForwardsAndSteps) {
  expect_fault([](Program& p) { p.forwards.clear(); }, "no forward was recorded");
  expect_valid([](Program& p) { p.forwards.clear(); }, {.partial = true});
  expect_fault([](Program& p) { call(p).op = "aten::set_"; }, "not allowed", {.partial = true});
  expect_valid([](Program&) {}, {.max_steps = 3});
  expect_fault([](Program&) {}, "more than 2 steps", {.max_steps = 2});
  expect_fault(  // all sections count
      [](Program& p) {
        p.forwards[0].make_inputs = {p.forwards[0].steps[0]};
        p.initialise = p.forwards[0].make_inputs;
      },
      "more than 4 steps", {.max_steps = 4});
}

}  // namespace
}  // namespace tritonrl::program
