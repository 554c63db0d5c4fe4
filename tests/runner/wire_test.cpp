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
  request.images = {{"ir", {0, 2}, "kernel.py"}};
  request.sample = 64;
  request.machine.wall_ms = 5;
  request.machine.check_races = false;
  request.question = program::Question{};
  request.question->about = {{1}};
  std::string text;
  const auto received = request_from_message(through(to_message(request, &text)));
  ASSERT_TRUE(received.ok()) << received.error();
  const RunRequest& out = received.value()->request;
  EXPECT_EQ(out.seed, request.seed);
  EXPECT_EQ(out.forwards, request.forwards);
  EXPECT_TRUE(out.keep_state && out.want_inputs && out.want_outputs);
  EXPECT_EQ(out.inputs.at(0).tensors, request.inputs[0].tensors);
  EXPECT_EQ(out.state.at(0).bytes, request.state[0].bytes);
  EXPECT_EQ(out.images.at(0).parameters, request.images[0].parameters);
  EXPECT_EQ(out.machine.wall_ms, 5);
  EXPECT_FALSE(out.machine.check_races);
  EXPECT_EQ(out.question->about.at(0).index, 1);
  EXPECT_EQ(out.program->tensors, program.tensors);
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
  ForwardResult& forward = outcome.forwards.emplace_back();
  for (int i = 0; i < 2; ++i) {
    forward.outputs.push_back({program::DType::kFloat32, {2, 2}, std::string(16, static_cast<char>('a' + i))});
  }
  outcome.mismatch = Mismatch{true, {{3, 1}, {}}};
  outcome.answer = Value{Value::List{{1.5}, {std::numeric_limits<double>::infinity()}, {std::int64_t{3}}, {true}}};
  AloneStorage& alone = outcome.alone.emplace_back();
  alone.argument = "x";
  alone.before = alone.after = alone.written = std::string(16, '\1');
  return outcome;
}

TEST(Outcomes, SurviveTheWire) {
  const program::Program program = sample_program();
  RunRequest request;
  request.program = &program;
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
}

// The process is untrusted: whatever it answers is read or refused.
TEST(Outcomes, OfAHostileProcessAreReadOrRefused) {
  const program::Program program = sample_program();
  RunRequest request;
  request.program = &program;
  const RunOutcome outcome = sample_outcome();
  const Message honest = through(to_message(outcome));
  const std::string text = honest.header.dump();
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = text;
    for (int k = 0; k < 3; ++k) changed[random() % changed.size()] = static_cast<char>("{}[],:\"0-9ae"[random() % 12]);
    Message message;
    message.header = nlohmann::json::parse(changed, nullptr, false);
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
  RunOutcome outcome = sample_outcome();
  outcome.forwards[0].outputs[0].bytes = "short";
  EXPECT_FALSE(outcome_from_message(through(to_message(outcome)), request).ok());
}

}  // namespace
}  // namespace tritonrl::runner
