#include "program/program_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "program/cost.h"
#include "program/level.h"
#include "program/target.h"
#include "tests/program/build_program.h"

namespace tritonrl::program {
namespace {

using base::Json;
using Kind = Structure::Kind;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Value> every_value() {
  std::vector<Value> values = {none(), flag(true), flag(false), number(std::int64_t{0}), number(kMost), number(kLeast)};
  for (const double v : {-0.0, 0.1, 3.0, 1e308, 5e-324, kNan, kInfinity, -kInfinity}) values.push_back(number(v));
  values.push_back({std::complex<double>(1, -2.5)});
  values.push_back({std::complex<double>(-kInfinity, kNan)});
  values.push_back({std::string()});
  values.push_back({std::string("line\n\"quote\" \\ \xc3\xa9 \0 end", 21)});
  values.push_back({TensorRef{0}});
  for (int i = 0; i <= static_cast<int>(DType::kComplex128); ++i) values.push_back({static_cast<DType>(i)});
  values.push_back({Device::kHost});
  values.push_back({Device::kTarget});
  values.push_back({Keyword{"channels_last"}});
  values.push_back({Symbol{"tl.float32"}});
  values.push_back({Descriptor{{0}, {2, 8}, {8, 1}, {1, 4}}});
  values.push_back({Descriptor{{0}, {2, 8}, {8, 1}, {1, 4}, true, true}});
  values.push_back(list({}));
  values.push_back(list({none(), list({number(kMost), list({{Symbol{"f"}}})}), {TensorRef{1}}}));
  return values;
}

LaunchVariant variant_with(const std::vector<Value>& values) {
  LaunchVariant variant{
      .grid = {2147483647, 65535, 1}, .arguments = {}, .options = {{"num_warps", number(std::int64_t{4})}}};
  for (const Value& value : values) {
    variant.arguments.push_back({.name = "a" + std::to_string(variant.arguments.size()),
                                 .type = "constexpr",
                                 .value = value,
                                 .aligned = variant.arguments.size() % 2 == 1});
  }
  return variant;
}

Structure leaf(Value value, std::string type = "") {
  return {.kind = Kind::kLeaf, .leaf = std::move(value), .type = std::move(type), .items = {}};
}

Structure holder(Kind kind, std::vector<std::pair<std::string, Structure>> items, std::string type = "") {
  return {.kind = kind, .leaf = {}, .type = std::move(type), .items = std::move(items)};
}

// One of everything that a program can hold. Named arguments are in alphabetical order, which is the order after
// reading.
Program every_program() {
  BuildProgram build;
  const Value x = build.tensor({2, 8});
  const Value y = build.tensor({2, 8});
  const Value half = build.view(x, {8}, {2}, 1);
  const Value large = build.tensor({2}, DType::kInt64);
  const Value indices = build.tensor({2}, DType::kInt64);
  const Value constant = build.tensor({8}, DType::kUInt8, Device::kHost);
  const Value nothing = build.tensor({0, 3});
  build.program.storages[4].constant = std::string("\0\xff\x7f=AB\n\x80", 8);

  build.call("aten::empty.memory_format", {integers({2, 8})}, x,
             {{"device", {Device::kTarget}},
              {"dtype", {DType::kFloat32}},
              {"layout", {Keyword{"strided"}}},
              {"memory_format", {Keyword{"contiguous_format"}}},
              {"pin_memory", none()}});
  build.call("aten::as_strided", {x, integers({8}), integers({2}), number(std::int64_t{1})}, half);
  build.call("aten::gelu", {x}, y, {{"approximate", {std::string("tanh")}}});
  build.call("aten::clamp", {x, number(-kInfinity), number(kMost)}, y);
  build.call("aten::add.Scalar", {x, {std::complex<double>(0, 1)}, number(kLeast)}, y);
  build.call("aten::max.dim", {x, number(std::int64_t{0}), flag(true)}, list({y, indices}));
  build.call("aten::_foreach_abs_", {list({x, y})}, none());
  build.call("aten::cat", {list({y, nothing, constant})}, large);
  Forward& forward = build.program.forwards.front();
  std::visit([](auto& step) { step.at = {1, 7}; }, forward.steps.front());
  std::swap(build.program.initialise, forward.steps);

  build.program.kernels = {{.name = "kernel",
                            .functions = {{.name = "kernel",
                                           .source = "def kernel(x, N: tl.constexpr):\n\tpass  # \xe2\x82\xac\n",
                                           .at = {1, 3}},
                                          {.name = "helper_2", .source = "def helper_2(a):\n    return a\n", .at = {}}},
                            .constants = {{"SCALE", "tl.constexpr(2.0)"}, {"B", "-3"}},
                            .imports = {{"tl", "triton.language"}, {"exp", "triton.language:exp"}, {"math", "math"}}}};
  Launch launch{.kernel = 0, .variants = {variant_with(every_value()), variant_with({})}, .at = {1, 40}};
  launch.variants[1].options = {{"maxnreg", number(std::int64_t{64})}, {"num_stages", number(std::int64_t{3})}};
  forward.steps.emplace_back(std::move(launch));
  const auto ask = [&](Question::Kind kind, std::vector<TensorRef> about, Value answer, std::string op = "") {
    forward.steps.emplace_back(Question{.kind = kind,
                                        .about = std::move(about),
                                        .op = std::move(op),
                                        .answer = std::move(answer),
                                        .assumed = kind == Question::Kind::kItem,
                                        .at = {0, 1}});
  };
  ask(Question::Kind::kItem, {{0}}, number(0.5));
  ask(Question::Kind::kList, {{3}}, integers({3, kMost}));
  ask(Question::Kind::kShape, {{0}}, integers({5}), "aten::nonzero");
  ask(Question::Kind::kEqual, {{0}, {1}}, flag(false));

  forward.make_inputs.emplace_back(AtenCall{.op = "aten::relu", .args = {x}, .kwargs = {}, .result = y, .at = {0, 2}});
  forward.inputs = holder(Kind::kTuple, {{"", leaf(x)}, {"", leaf(none(), "Generator")}, {"", leaf(number(2.5))}});
  forward.outputs = holder(Kind::kDict, {{"b", holder(Kind::kList, {{"", leaf(y)}, {"", holder(Kind::kTuple, {})}})},
                                         {"a", holder(Kind::kObject, {{"logits", leaf(x)}}, "Output")}});
  build.program.forwards.push_back({.make_inputs = {}, .inputs = leaf(x), .steps = {}, .outputs = leaf(y)});
  build.program.state = {{"fc.weight", {0}, false}, {"running", {1}, true}};
  build.program.files = {"task.py", "candidate.py"};
  build.program.subject = "ModelNew";
  build.program.torch_version = "2.13.0+cpu";
  build.program.triton_version = "3.7.1";
  build.program.target = "h200";
  return build.program;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

bool same(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index()) return false;
  if (const auto* real = a.get_if<double>()) return same(*real, *b.get_if<double>());
  if (const auto* complex = a.get_if<std::complex<double>>()) {
    const auto& other = *b.get_if<std::complex<double>>();
    return same(complex->real(), other.real()) && same(complex->imag(), other.imag());
  }
  return a == b;
}

TEST(ProgramJson, EveryValueComesBack) {
  const base::Result<Program> read = read_program(to_json(every_program()));
  ASSERT_TRUE(read.ok()) << read.error();
  const auto& launch = std::get<Launch>(read.value().forwards[0].steps[0]);
  const std::vector<Value> values = every_value();
  ASSERT_EQ(launch.variants[0].arguments.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_TRUE(same(launch.variants[0].arguments[i].value, values[i])) << to_json(values[i]);
    EXPECT_EQ(launch.variants[0].arguments[i].aligned, i % 2 == 1);
  }
}

TEST(ProgramJson, EveryPartComesBack) {
  Program program = every_program();
  std::erase_if(std::get<Launch>(program.forwards[0].steps[0]).variants[0].arguments,  // what does not equal itself
                [](const LaunchArgument& argument) { return !(argument.value == argument.value); });
  const std::string text = to_json(program);
  const base::Result<Program> read = read_program(text);
  ASSERT_TRUE(read.ok()) << read.error();
  const Program& back = read.value();
  EXPECT_EQ(back.subject, program.subject);
  EXPECT_EQ(back.torch_version, program.torch_version);
  EXPECT_EQ(back.triton_version, program.triton_version);
  EXPECT_EQ(back.target, program.target);
  EXPECT_EQ(back.files, program.files);
  EXPECT_EQ(back.storages, program.storages);
  EXPECT_EQ(back.tensors, program.tensors);
  EXPECT_EQ(back.kernels, program.kernels);
  EXPECT_EQ(back.initialise, program.initialise);
  ASSERT_EQ(back.state.size(), 2u);
  EXPECT_EQ(back.state[0].name, "fc.weight");
  EXPECT_EQ(back.state[1].tensor, TensorRef{1});
  EXPECT_FALSE(back.state[0].buffer);
  EXPECT_TRUE(back.state[1].buffer);
  ASSERT_EQ(back.forwards.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.forwards[i].make_inputs, program.forwards[i].make_inputs);
    EXPECT_EQ(back.forwards[i].inputs, program.forwards[i].inputs);
    EXPECT_EQ(back.forwards[i].steps, program.forwards[i].steps);
    EXPECT_EQ(back.forwards[i].outputs, program.forwards[i].outputs);
  }
  EXPECT_EQ(to_json(back), text);
}

Program tiny_program() {
  BuildProgram build;
  const Value x = build.tensor({2, 3});
  const Value y = build.tensor({2, 3});
  build.call("aten::relu", {x}, y);
  build.program.forwards[0].make_inputs.emplace_back(AtenCall{.op = "aten::rand",
                                                              .args = {integers({2, 3})},
                                                              .kwargs = {{"dtype", {DType::kFloat32}}},
                                                              .result = x,
                                                              .at = {0, 9}});
  build.program.forwards[0].inputs = holder(Kind::kTuple, {{"", leaf(x)}});
  build.program.forwards[0].outputs = leaf(y);
  build.program.files = {"task.py"};
  build.program.subject = "Model";
  build.program.torch_version = "2.13.0";
  build.program.triton_version = "3.7.1";
  build.program.target = "h200";
  return build.program;
}

constexpr const char* kTiny =
    R"({"format":1,"torch":"2.13.0","triton":"3.7.1","target":"h200","subject":"Model","files":["task.py"],)"
    R"("storages":[[24,"target"],[24,"target"]],)"
    R"("tensors":[[0,"float32",0,[2,3],[3,1]],[1,"float32",0,[2,3],[3,1]]],"kernels":[],"initialise":[],"state":[],)"
    R"("forwards":[{"make_inputs":[{"op":"aten::rand","args":[[2,3]],)"
    R"("result":{"tensor":0},"kwargs":{"dtype":{"dtype":"float32"}},"at":[0,9]}],"inputs":{"tuple":[{"leaf":{"tensor":0}}]},)"
    R"("steps":[{"op":"aten::relu","args":[{"tensor":0}],"result":{"tensor":1},"at":null}],)"
    R"("outputs":{"leaf":{"tensor":1}}}]})";

TEST(ProgramJson, TheTextIsStable) {
  EXPECT_EQ(to_json(tiny_program()), kTiny);
  const base::Result<Program> read = read_program(std::string_view(kTiny));
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(to_json(read.value()), kTiny);
}

TEST(ProgramJson, BytesThatAreNoUtf8AreReplacedInWritingAndRefusedInReading) {
  Program program = tiny_program();
  program.subject = "M\xff";
  const std::string text = to_json(program);
  EXPECT_NE(text.find("M\xef\xbf\xbd"), std::string::npos);
  EXPECT_TRUE(read_program(text).ok());
  for (const char* bad : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xe2\x82", "\xf5\x80\x80\x80", "\x01"}) {
    std::string changed = kTiny;
    changed.replace(changed.find("Model"), 5, bad);
    EXPECT_FALSE(read_program(changed).ok());
  }
}

// "/forwards/0/inputs": its last part, and what comes before.
std::pair<std::string, std::string> split(const std::string& pointer) {
  const std::size_t at = pointer.rfind('/');
  return {pointer.substr(0, at), pointer.substr(at + 1)};
}

// null: there is none.
Json* node_at(Json& json, const std::string& pointer) {
  if (pointer.empty()) return &json;
  const auto [before, last] = split(pointer);
  Json* parent = node_at(json, before);
  if (parent == nullptr || !parent->is_array()) return parent == nullptr ? nullptr : parent->find(last);
  if (last.find_first_not_of("0123456789") != std::string::npos) return nullptr;
  const std::size_t index = std::stoul(last);
  return index < parent->size() ? &parent->at(index) : nullptr;
}

// In place of what is there, or behind it.
void put(Json& json, const std::string& pointer, Json value) {
  if (Json* there = node_at(json, pointer)) {
    *there = std::move(value);
    return;
  }
  const auto [before, last] = split(pointer);
  Json& parent = *node_at(json, before);
  if (parent.is_array()) {
    parent.push_back(std::move(value));
  } else {
    parent[std::string_view(last)] = std::move(value);
  }
}

// A change of the small program's text and what the reader says about it.
struct BadText {
  const char* pointer;
  const char* json;
  const char* message;
};

class ProgramJsonRefuses : public ::testing::TestWithParam<BadText> {};

TEST_P(ProgramJsonRefuses, WithAReason) {
  const auto& [pointer, json, message] = GetParam();
  Json changed = Json::parse(kTiny);
  put(changed, pointer, Json::parse(json));
  const base::Result<Program> read = program_from_json(changed);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().find(message), std::string::npos) << read.error();
}

INSTANTIATE_TEST_SUITE_P(
    , ProgramJsonRefuses,
    ::testing::Values(
        BadText{"/format", "2", "unknown format"}, BadText{"/format", "1.0", "format is no integer"},
        BadText{"/torch", "2.13", "torch is no text"}, BadText{"/files", "{}", "files is no array"},
        BadText{"/files/0", "null", "files is no text"}, BadText{"/storages/0", "[24]", "a storage is"},
        BadText{"/storages/0", "[24,\"target\",\"\",1]", "a storage is"},
        BadText{"/storages/0/0", "18446744073709551615", "bytes is too large"},
        BadText{"/storages/0/0", "1e30", "bytes is no integer"}, BadText{"/storages/0/0", "-1", "has -1 bytes"},
        BadText{"/storages/0/1", "\"cuda\"", "unknown device \"cuda\""},
        BadText{"/storages/0/2", "\"AAAA\"", "not as long as its storage"},
        BadText{"/storages/0/2", "\"A\"", "not as long as its storage"}, BadText{"/tensors/0", "[0]", "a tensor is"},
        BadText{"/tensors/0/0", "-1", "storage is no index"},
        BadText{"/tensors/0/0", "4294967296", "storage is no index"},
        BadText{"/tensors/0/0", "2147483647", "views no storage"},
        BadText{"/tensors/0/1", "\"f32\"", "unknown dtype \"f32\""},
        BadText{"/tensors/0/2", "9223372036854775808", "offset is too large"},
        BadText{"/tensors/0/3", "[2,3.5]", "sizes is no integer"}, BadText{"/tensors/0/3", "[2]", "no valid shape"},
        BadText{"/state", "[{\"name\":\"w\",\"tensor\":7,\"buffer\":false}]", "no such tensor"},
        BadText{"/state", "[{\"name\":\"w\",\"tensor\":0,\"buffer\":0}]", "buffer is neither true nor false"},
        BadText{"/forwards/0/steps/0/at", "[0]", "\"at\" is neither"},
        BadText{"/forwards/0/steps/0/at", "[1,2]", "comes from no file"},
        BadText{"/forwards/0/steps/0/at", "[-1,2]", "file is no index"},
        BadText{"/forwards/0/steps/0/args/0", "{\"tensors\":0}", "unknown value \"tensors\""},
        BadText{"/forwards/0/steps/0/args/0", "{}", "an object of one field"},
        BadText{"/forwards/0/steps/0/args/0", "{\"tensor\":0,\"x\":1}", "an object of one field"},
        BadText{"/forwards/0/steps/0/args/0", "{\"float\":\"Infinity\"}", "unknown float"},
        BadText{"/forwards/0/steps/0/args/0", "{\"complex\":[1]}", "complex is no pair"},
        BadText{"/forwards/0/steps/0/args/0", "{\"complex\":[1,\"2\"]}", "no number"},
        BadText{"/forwards/0/steps/0/args/0", "{\"descriptor\":[]}", "expected an object"},
        BadText{"/forwards/0/steps/0/args/0",
                "{\"descriptor\":{\"tensor\":0,\"shape\":[2],\"strides\":[1],\"block\":[2],\"padding\":\"one\"}}",
                "there is no padding \"one\""},
        BadText{"/forwards/0/steps/0/kwargs", "[]", "kwargs is no object"},
        BadText{"/forwards/0/steps/0/op", "\"aten::system\"", "operator aten::system is not allowed"},
        BadText{"/forwards/0/steps/0/question", "\"when\"", "unknown question \"when\""},
        BadText{"/forwards/0/steps/0/launch", "0", "\"variants\" is missing"},
        BadText{"/forwards/0/steps", "{}", "steps is no array"},
        BadText{"/forwards/0/inputs", "[]", "expected an object"},
        BadText{"/forwards/0/inputs", "{\"dict\":[1]}", "an item is no"},
        BadText{"/forwards/0/inputs/tuple", "0", "items is no array"},
        BadText{"/forwards/0/outputs/leaf/tensor", "99", "no such tensor"}, BadText{"/forwards", "[]", "no forward"}));

// Every node below this one, as a pointer, in the order of the pointers.
void add_nodes(const Json& json, const std::string& pointer, std::set<std::string>& nodes) {
  if (!pointer.empty()) nodes.insert(pointer);
  if (json.is_object()) {
    for (const Json::Member& member : json.items()) add_nodes(member.value, pointer + "/" + member.name, nodes);
  }
  for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
    add_nodes(json.at(i), pointer + "/" + std::to_string(i), nodes);
  }
}

std::vector<std::string> nodes_of(const Json& json) {
  std::set<std::string> nodes;
  add_nodes(json, "", nodes);
  return {nodes.begin(), nodes.end()};
}

// Anything may be refused; what is not must be safe in every later use. True if it was read.
bool survives(const base::Result<Program>& read) {
  if (!read.ok()) {
    EXPECT_FALSE(read.error().empty());
    return false;
  }
  const Program& program = read.value();
  EXPECT_EQ(find_fault(program), std::nullopt);
  const std::string text = to_json(program);
  const base::Result<Program> again = read_program(text);
  EXPECT_TRUE(again.ok()) << again.error() << "\n" << text;
  EXPECT_EQ(again.ok() ? to_json(again.value()) : "", text);
  for (std::size_t i = 0; i < program.forwards.size(); ++i) cost_of(program, find_target("h200"), i);
  level_of(program);
  return true;
}

TEST(ProgramJson, NoFieldMayBeMissing) {
  const Json whole = Json::parse(to_json(every_program()));
  int refused = 0;
  for (const std::string& node : nodes_of(whole)) {
    const auto [parent, name] = split(node);
    const std::string holder_name = split(parent).second;
    const bool optional = name == "padding" || name == "round_f32_to_tf32" || name == "aligned" || name == "type" ||
                          name == "kwargs" || holder_name == "kwargs" || holder_name == "options";
    Json changed = whole;
    if (!node_at(changed, parent)->is_object()) continue;
    node_at(changed, parent)->erase(std::string_view(name));
    const base::Result<Program> read = program_from_json(changed);
    EXPECT_TRUE(optional || !read.ok()) << node;
    refused += read.ok() ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
}

TEST(ProgramJson, NoNodeOfAnotherTypeDoesHarm) {
  Json changed = Json::parse(to_json(every_program()));
  const std::vector<Json> others = {nullptr,       true,          -1, 1.5, kMost, ~std::uint64_t{0}, "x",
                                    Json::array(), Json::object()};
  for (const std::string& node : nodes_of(changed)) {
    Json& place = *node_at(changed, node);
    const Json before = place;
    for (const Json& other : others) {
      place = other;
      survives(program_from_json(changed));
    }
    place = before;
  }
}

TEST(ProgramJson, TextsThatAreNoProgram) {
  for (const char* text :
       {"", " ", "null", "[]", "{}", "1", "\"x\"", "{\"format\":1}", "{", "nul", "[1,]", "NaN", "1e999"}) {
    EXPECT_FALSE(read_program(std::string_view(text)).ok()) << text;
  }
  EXPECT_FALSE(read_program(std::string_view(kTiny + std::string("x"))).ok());
  EXPECT_FALSE(read_program(std::string_view("\0", 1)).ok());
}

TEST(ProgramJson, OfAKeyGivenTwiceTheLastCounts) {
  std::string text = kTiny;
  text.insert(1, "\"format\":7,");
  EXPECT_TRUE(read_program(text).ok());
  text = kTiny;
  text.insert(text.size() - 1, ",\"format\":7");
  EXPECT_FALSE(read_program(text).ok());
}

TEST(ProgramJson, ATextThatIsAnArgumentHasALimit) {
  const auto with = [](std::size_t length) {
    std::string text = kTiny;
    const std::string whole = "{\"leaf\":{\"tensor\":1}}";
    text.replace(text.rfind(whole), whole.size(), "{\"leaf\":\"" + std::string(length, 'x') + "\"}");
    return read_program(text);
  };
  EXPECT_TRUE(with(1000).ok());
  EXPECT_FALSE(with(1'000'000).ok());
}

TEST(ProgramJson, DeepNestingIsRefused) {
  const auto with = [](const std::string& before, const std::string& after) {
    std::string text = kTiny;
    const std::string whole = "{\"leaf\":{\"tensor\":1}}";
    text.replace(text.rfind(whole), whole.size(), before + after);
    return read_program(text);
  };
  const auto repeat = [](const std::string& part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
  };
  for (const int depth : {34, 1000, 300'000}) {
    EXPECT_FALSE(with("{\"leaf\":" + repeat("[", depth), repeat("]", depth) + "}").ok()) << depth;
    EXPECT_FALSE(with(repeat("{\"tuple\":[", depth), "{\"leaf\":0}" + repeat("]}", depth)).ok()) << depth;
    EXPECT_FALSE(read_program(std::string_view(repeat("[", depth))).ok());
    EXPECT_FALSE(read_program(std::string_view(repeat("{\"a\":", depth))).ok());
  }
  EXPECT_TRUE(with("{\"leaf\":" + repeat("[", 33), repeat("]", 33) + "}").ok());
  EXPECT_TRUE(with(repeat("{\"tuple\":[", 32), "{\"leaf\":0}" + repeat("]}", 32)).ok());
}

TEST(ProgramJson, TruncatedAnywhere) {
  const std::string text = to_json(every_program());
  ASSERT_TRUE(survives(read_program(text)));
  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_FALSE(read_program(std::string_view(text).substr(0, i)).ok()) << i;
  }
}

TEST(ProgramJson, RandomBytesChanged) {
  const std::string text = to_json(every_program());
  std::mt19937 random(20'26);
  const std::string_view likely = "0123456789-+.eE\"{}[],:\\ntf \x7f\x80\xff";
  int read = 0;
  for (int i = 0; i < 12'000; ++i) {
    std::string changed = text;
    for (std::uint32_t n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % changed.size();
      const std::uint32_t way = random() % 3;
      if (way == 0) changed[at] = likely[random() % likely.size()];
      if (way == 1) changed.erase(at, 1 + random() % 4);
      if (way == 2) changed.insert(at, 1, likely[random() % likely.size()]);
    }
    read += survives(read_program(changed)) ? 1 : 0;
  }
  EXPECT_GT(read, 100);
}

TEST(ProgramJson, RandomPartsExchanged) {
  Json whole = Json::parse(to_json(every_program()));
  const std::vector<std::string> nodes = nodes_of(whole);
  std::mt19937 random(7);
  const auto any_node = [&]() -> const std::string& { return nodes[random() % nodes.size()]; };
  Json changed = whole;
  int read = 0;
  for (int i = 0; i < 6'000; ++i) {
    std::vector<std::pair<std::string, Json>> before;
    for (std::uint32_t n = 1 + random() % 2; n > 0; --n) {
      const std::string& node = any_node();
      Json* found = node_at(changed, node);
      if (found == nullptr) continue;
      Json& place = *found;
      before.emplace_back(node, place);
      const std::uint32_t way = random() % 4;
      if (way == 0) place = *node_at(whole, any_node());
      if (way == 1) place = (static_cast<std::int64_t>(random()) << (random() % 33)) - 2;
      if (way == 2 && place.is_array()) place.push_back(*node_at(whole, any_node()));
      if (way == 3 && place.is_array() && !place.empty())
        place.erase(static_cast<std::size_t>(random() % place.size()));
    }
    read += survives(program_from_json(changed)) ? 1 : 0;
    for (; !before.empty(); before.pop_back()) put(changed, before.back().first, std::move(before.back().second));
  }
  EXPECT_EQ(changed, whole);
  EXPECT_GT(read, 100);
}

TEST(ProgramJson, ReadsAQuestionAboutTheProgramSoFar) {
  const Program program = tiny_program();
  const auto ask = [&](const char* changes) {
    Json question = {{"question", "item"}, {"about", Json::array({0})}, {"op", ""},
                     {"answer", nullptr},  {"assumed", true},           {"at", nullptr}};
    question.update(Json::parse(changes));
    return read_question(question, program);
  };
  ASSERT_TRUE(ask("{}").ok());
  EXPECT_EQ(ask("{}").value().about, std::vector<TensorRef>{{0}});
  EXPECT_TRUE(ask(R"({"question":"shape","op":"aten::nonzero"})").ok());
  for (const char* bad :
       {R"({"about":[2]})", R"({"about":[-1]})", R"({"about":[]})", R"({"about":0})", R"({"question":"why"})",
        R"({"question":"shape","op":"aten::from_file"})", R"({"question":"shape"})", R"({"assumed":1})",
        R"({"answer":{"tensor":-1}})", R"({"at":[0]})"}) {
    EXPECT_FALSE(ask(bad).ok()) << bad;
  }
  EXPECT_FALSE(read_question(base::Json::array(), program).ok());
  EXPECT_FALSE(read_question(base::Json(), program).ok());
}

}  // namespace
}  // namespace tritonrl::program
