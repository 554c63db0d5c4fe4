// Messages between the runner and its process: what goes in comes out, and what is no message is refused.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "runner/message.h"
#include "runner/outcome_wire.h"
#include "runner/request_wire.h"
#include "runner/structure_tensors.h"
#include "tests/program/build_program.h"

namespace tritonrl::runner {
namespace {

using program::BuildProgram;
using program::Value;

// A program that adds 1 to a constant; its output is a tuple of the result and a list of the same.
program::Program sample_program() {
  BuildProgram build;
  const Value x = build.tensor({2, 2}), y = build.tensor({2, 2});
  build.program.storages[0].constant = std::string(16, '\0');
  build.call("aten::add.Tensor", {x, program::number(std::int64_t{1})}, y);
  program::Structure leaf;
  leaf.leaf = y;
  program::Structure list;
  list.kind = program::Structure::Kind::kList;
  list.items = {{"", leaf}};
  program::Structure& outputs = build.program.forwards[0].outputs;
  outputs.kind = program::Structure::Kind::kTuple;
  outputs.items = {{"", leaf}, {"", list}};
  program::Structure& inputs = build.program.forwards[0].inputs;
  inputs.leaf = x;
  build.program.initialise.emplace_back(build.program.forwards[0].steps[0]);
  build.program.state = {{"w", *y.get_if<program::TensorRef>(), false}};
  return build.program;
}

struct Wire {
  std::deque<std::string> frames;
  SendFrame send = [this](std::string_view frame) {
    frames.emplace_back(frame);
    return true;
  };
  ReceiveFrame receive = [this]() -> std::optional<std::string> {
    if (frames.empty()) return std::nullopt;
    std::string out = std::move(frames.front());
    frames.pop_front();
    return out;
  };
};

Message through(const MessageView& view) {
  Wire wire;
  EXPECT_TRUE(send_message(view, wire.send));
  auto out = receive_message(wire.receive, 1 << 30, nullptr);
  EXPECT_TRUE(out);
  return out ? std::move(*out) : Message{};
}

TEST(Messages, CarryBytesBesideJson) {
  const std::string bytes("a\0b", 3);
  MessageView view;
  view.header["n"] = 5;
  view.blobs = {bytes, "", "c"};
  const Message out = through(view);
  EXPECT_EQ(out.header["n"], 5);
  EXPECT_EQ(out.blobs, (std::vector<std::string>{bytes, "", "c"}));
}

TEST(Messages, ThatAreNoneAreRefused) {
  for (const char* text : {"", "[]", "{}", R"({"blobs": 3})", R"({"blobs": [-1]})", R"({"blobs": [99999999]})"}) {
    Wire wire;
    wire.frames = {text};
    bool malformed = false;
    EXPECT_FALSE(receive_message(wire.receive, 1000, &malformed)) << text;
    EXPECT_TRUE(malformed) << text;
  }
  Wire longer;
  longer.frames = {R"({"blobs": [2]})", "abc"};
  bool malformed = false;
  EXPECT_FALSE(receive_message(longer.receive, 1000, &malformed));
  EXPECT_TRUE(malformed);
  Wire ended;
  ended.frames = {R"({"blobs": [2]})", "a"};
  EXPECT_FALSE(receive_message(ended.receive, 1000, &malformed));
  EXPECT_FALSE(malformed);
}

std::vector<program::KernelParameter> signature() {
  using Part = program::KernelParameter::Part;
  return {{0, {}, Part::kValue, 0, "*fp32"}, {2, {1, 0}, Part::kShape, 1, "i64"}};
}

TEST(Requests, SurviveTheWire) {
  const program::Program program = sample_program();
  RunRequest request;
  request.program = &program;
  request.seed = ~std::uint64_t{0};
  request.garbage_seed = 3;
  request.forwards = {0, 0};
  request.keep_state = request.want_inputs = true;
  request.inputs = {{0, {std::string(16, 'x')}}};
  request.state = {{{0}, std::string(16, 'y')}};
  request.images = {{"ir", signature(), "kernel.py"}};
  request.sample = 64;
  request.machine.wall_ms = 5;
  request.machine.check_races = false;
  request.question = program::Question{};
  request.question->about = {{1}};
  request.drawn = {{0, {{1}, std::string(16, 'z')}}};
  request.want_state = true;
  request.machine.cover = false;
  std::string text;
  RequestReader reader;
  const auto received = reader.next(through(to_message(request, nullptr, &text)));
  ASSERT_TRUE(received.ok()) << received.error();
  const RunRequest& out = *received.value();
  EXPECT_EQ(out.drawn.at(0).step, 0);
  EXPECT_EQ(out.drawn[0].given.tensor.index, 1);
  EXPECT_EQ(out.drawn[0].given.bytes, request.drawn[0].given.bytes);
  EXPECT_TRUE(out.want_state);
  EXPECT_FALSE(out.oracle || out.machine.cover);
  EXPECT_EQ(out.seed, request.seed);
  EXPECT_EQ(out.forwards, request.forwards);
  EXPECT_TRUE(out.keep_state && out.want_inputs && out.want_outputs);
  EXPECT_EQ(out.inputs.at(0).tensors, request.inputs[0].tensors);
  EXPECT_EQ(out.state.at(0).bytes, request.state[0].bytes);
  EXPECT_EQ(out.images.at(0).signature, request.images[0].signature);
  EXPECT_EQ(out.machine.wall_ms, 5);
  EXPECT_FALSE(out.machine.check_races);
  EXPECT_EQ(out.question->about.at(0).index, 1);
  EXPECT_EQ(out.program->tensors, program.tensors);
}

TEST(Requests, ShareProgramAndImagesWithTheOneBefore) {
  const program::Program program = sample_program();
  RunRequest first;
  first.program = &program;
  first.images = {{"ir", signature(), "kernel.py"}};
  RunRequest second = first;
  second.seed = 9;
  std::string text, none;
  RequestReader reader;
  ASSERT_TRUE(reader.next(through(to_message(first, nullptr, &text))).ok());
  const Message again = through(to_message(second, &first, &none));
  EXPECT_TRUE(again.blobs.empty());
  EXPECT_TRUE(none.empty());
  const auto shared = reader.next(again);
  ASSERT_TRUE(shared.ok()) << shared.error();
  EXPECT_EQ(shared.value()->seed, 9u);
  EXPECT_EQ(shared.value()->images, first.images);
  EXPECT_EQ(shared.value()->program->tensors, program.tensors);

  RunRequest third = second;
  third.images[0].ir = "other";
  third.images[0].code = MachineCode{
      .cubin = std::string("\0code", 5),
      .entry = "kernel",
      .descriptors = {{.swizzle = 3, .element_bytes = 4, .element_type = 7, .block = {32, 16}, .fp4_padded = true}},
      .num_warps = 4,
      .num_ctas = 1,
      .shared_bytes = 96,
      .scratch_bytes = 8,
      .scratch_align = 16,
      .cooperative = true};
  const auto other = reader.next(through(to_message(third, &second, &none)));
  ASSERT_TRUE(other.ok()) << other.error();
  EXPECT_EQ(other.value()->images, third.images);

  EXPECT_FALSE(RequestReader().next(again).ok());  // nothing came before it
  Message broken = again;
  broken.header.erase("seed");
  EXPECT_FALSE(reader.next(broken).ok());
  EXPECT_FALSE(reader.next(again).ok());  // after a failure a whole one is needed
  EXPECT_TRUE(reader.next(through(to_message(first, nullptr, &text))).ok());
}

TEST(Requests, NameWhatExists) {
  const program::Program program = sample_program();
  RunRequest good;
  good.program = &program;
  EXPECT_FALSE(find_fault(good));
  const auto faulty = [&](auto&& change) {
    RunRequest request = good;
    change(request);
    return find_fault(request).has_value();
  };
  EXPECT_TRUE(faulty([](RunRequest& r) { r.forwards = {1}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.forwards = {-1}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.inputs = {{0, {}}}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.inputs = {{0, {"short"}}}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.state = {{{7}, ""}}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.launches = {{{Section::kForward, 0, 0}, 0, 0}}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.alone = Alone{}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.question = program::Question{}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.threads = 0; }));
  EXPECT_FALSE(faulty([](RunRequest& r) { r.drawn = {{0, {{1}, std::string(16, 'z')}}}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.drawn = {{1, {{1}, std::string(16, 'z')}}}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.drawn = {{-1, {{1}, std::string(16, 'z')}}}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.drawn = {{0, {{1}, "short"}}}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.drawn = {{0, {{9}, ""}}}; }));
  EXPECT_FALSE(faulty([](RunRequest& r) { r.oracle = true; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.oracle = r.keep_state = true, r.forwards = {0, 0}; }));
  EXPECT_TRUE(faulty([](RunRequest& r) { r.oracle = true, r.sample = 4; }));
}

RunOutcome sample_outcome() {
  RunOutcome outcome;
  outcome.kind = RunOutcome::Kind::kOtherAnswer;
  outcome.message = "why";
  outcome.at = StepPlace{Section::kInputs, 0, 4};
  LaunchReport& launch = outcome.launches.emplace_back();
  launch.findings.emplace_back().kind = machine::Finding::Kind::kRace;
  launch.findings[0].program = {1, 2, 3};
  launch.counters.dot_ops[2] = 7;
  launch.counters.tensors.emplace_back().tensor = "x";
  launch.counters.tensors[0].storage = 1;
  launch.covered = {{3, 4}, {3, 9}, {3, 9, 1}, {7, 0}};
  outcome.launches.push_back(launch);  // covers the same
  outcome.launches.emplace_back();     // covers nothing
  ForwardResult& forward = outcome.forwards.emplace_back();
  for (int i = 0; i < 2; ++i) {
    forward.outputs.push_back({program::DType::kFloat32, {2, 2}, std::string(16, static_cast<char>('a' + i))});
  }
  outcome.mismatch = Mismatch{true, {{3, 1}, {}}};
  outcome.answer = Value{Value::List{{1.5}, {std::numeric_limits<double>::infinity()}, {std::int64_t{3}}, {true}}};
  AloneStorage& alone = outcome.alone.emplace_back();
  alone.argument = "x";
  alone.before = alone.after = alone.written = std::string(16, '\1');
  outcome.state.push_back({program::DType::kFloat32, {2, 2}, std::string(16, 's')});
  return outcome;
}

TEST(Outcomes, SurviveTheWire) {
  const program::Program program = sample_program();
  RunRequest request;
  request.program = &program;
  request.want_state = true;
  const RunOutcome outcome = sample_outcome();
  const auto read = outcome_from_message(through(to_message(outcome)), request);
  ASSERT_TRUE(read.ok()) << read.error();
  const RunOutcome& out = read.value();
  EXPECT_EQ(out.kind, outcome.kind);
  EXPECT_EQ(out.at, outcome.at);
  EXPECT_EQ(out.launches.at(0).findings.at(0).program, outcome.launches[0].findings[0].program);
  EXPECT_EQ(out.launches[0].counters.dot_ops, outcome.launches[0].counters.dot_ops);
  EXPECT_EQ(out.launches[0].counters.tensors.at(0).tensor, "x");
  ASSERT_EQ(out.forwards.at(0).outputs.size(), 2u);
  EXPECT_EQ(out.forwards[0].outputs[1].bytes, std::string(16, 'b'));
  EXPECT_EQ(out.mismatch->strides, outcome.mismatch->strides);
  EXPECT_EQ(out.answer, outcome.answer);
  EXPECT_EQ(out.alone.at(0).written, outcome.alone[0].written);
  ASSERT_EQ(out.launches.size(), 3u);
  EXPECT_EQ(out.launches[0].counters.tensors[0].storage, 1);
  EXPECT_EQ(out.launches[0].covered, outcome.launches[0].covered);
  EXPECT_EQ(out.launches[1].covered, outcome.launches[0].covered);
  EXPECT_TRUE(out.launches[2].covered.empty());
  EXPECT_EQ(out.state.at(0).bytes, std::string(16, 's'));
}

// The process is untrusted: whatever it answers is read or refused.
TEST(Outcomes, OfAHostileProcessAreReadOrRefused) {
  const program::Program program = sample_program();
  RunRequest request;
  request.program = &program;
  request.want_state = true;
  const RunOutcome outcome = sample_outcome();
  const Message honest = through(to_message(outcome));
  const std::string text = honest.header.dump();
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = text;
    for (int k = 0; k < 3; ++k) changed[random() % changed.size()] = static_cast<char>("{}[],:\"0-9ae"[random() % 12]);
    Message message;
    message.header = base::Json::try_parse(changed).value_or(base::Json());
    message.blobs = honest.blobs;
    if (random() % 4 == 0) message.blobs.pop_back();
    refused += !outcome_from_message(std::move(message), request).ok();
  }
  EXPECT_GT(refused, 1000);
}

TEST(Outcomes, HaveTheProgramsOwnSizes) {
  const program::Program program = sample_program();
  RunRequest request;
  request.program = &program;
  request.want_state = true;
  RunOutcome outcome = sample_outcome();
  outcome.forwards[0].outputs[0].bytes = "short";
  EXPECT_FALSE(outcome_from_message(through(to_message(outcome)), request).ok());
  outcome = sample_outcome();
  outcome.state[0].bytes = "short";
  EXPECT_FALSE(outcome_from_message(through(to_message(outcome)), request).ok());
}

TEST(Outcomes, OfAnOracleAreWide) {
  const program::Program program = sample_program();
  RunRequest request;
  request.program = &program;
  request.oracle = request.want_inputs = true;
  RunOutcome outcome;
  ForwardResult& forward = outcome.forwards.emplace_back();
  forward.inputs.push_back({program::DType::kFloat32, {2, 2}, std::string(16, 'i')});
  for (int i = 0; i < 2; ++i) forward.outputs.push_back({program::DType::kFloat64, {2, 2}, std::string(32, 'o')});
  const auto read = outcome_from_message(through(to_message(outcome)), request);
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value().forwards[0].inputs[0].dtype, program::DType::kFloat32);
  EXPECT_EQ(read.value().forwards[0].outputs[0].dtype, program::DType::kFloat64);
  request.oracle = false;
  EXPECT_FALSE(outcome_from_message(through(to_message(outcome)), request).ok());
}

// What a process says is bounded: positions are sorted and few, storages exist, state is asked for.
TEST(Outcomes, StayWithinBounds) {
  const program::Program program = sample_program();
  RunRequest request;
  request.program = &program;
  request.want_state = true;
  const RunOutcome honest = sample_outcome();
  const auto refused = [&](auto&& change) {
    Message message = through(to_message(honest));
    change(message.header);
    return !outcome_from_message(std::move(message), request).ok();
  };
  EXPECT_FALSE(refused([](auto&) {}));
  EXPECT_TRUE(refused([](auto& header) { header["covered"][0] = {3, 9, 0, 3, 4, 0}; }));
  EXPECT_TRUE(refused([](auto& header) { header["covered"][0] = {3, 4, 1, 3, 4, 1}; }));
  EXPECT_TRUE(refused([](auto& header) { header["covered"][0] = {3, 4, 0, 5}; }));
  EXPECT_TRUE(refused([](auto& header) { header["covered"][0] = {-3, 4, 0}; }));
  EXPECT_TRUE(refused([](auto& header) { header["launches"][0]["covered"] = 1; }));
  EXPECT_TRUE(refused([](auto& header) { header["launches"][0]["counters"]["tensors"][0]["storage"] = 2; }));
  EXPECT_TRUE(refused([](auto& header) { header["launches"][0]["counters"]["tensors"][0]["storage"] = -2; }));
  EXPECT_TRUE(refused([](auto& header) {  // a long list that many launches name
    std::vector<int> list;
    for (int i = 1; i <= 1 << 16; ++i) list.insert(list.end(), {i, 0, 0});
    header["covered"][0] = list;
    const base::Json launch = header["launches"][0];
    for (int i = 0; i < 300; ++i) header["launches"].push_back(launch);
  }));
  request.want_state = false;
  EXPECT_TRUE(refused([](auto&) {}));
}

// The other direction is trusted, but a request is still read or refused.
TEST(Requests, OfAnyFormAreReadOrRefused) {
  const program::Program program = sample_program();
  RunRequest request;
  request.program = &program;
  request.images = {{"ir", signature(), "kernel.py"}};
  request.drawn = {{0, {{1}, std::string(16, 'z')}}};
  request.state = {{{0}, std::string(16, 'y')}};
  std::string text, none;
  const Message whole = through(to_message(request, nullptr, &text)),
                next = through(to_message(request, &request, &none));
  std::mt19937 random(2);
  int refused = 0;
  RequestReader reader;
  for (int i = 0; i < 5000; ++i) {
    Message message = random() % 2 == 0 ? whole : next;
    std::string header = message.header.dump();
    for (int k = 0; k < 2; ++k) header[random() % header.size()] = static_cast<char>("{}[],:\"0-9ae"[random() % 12]);
    message.header = base::Json::try_parse(header).value_or(base::Json());
    if (random() % 4 == 0 && !message.blobs.empty()) message.blobs.pop_back();
    refused += !reader.next(std::move(message)).ok();
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 5000);
}

}  // namespace
}  // namespace tritonrl::runner
