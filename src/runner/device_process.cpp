#include "runner/device_process.h"

#include <optional>
#include <span>
#include <string_view>

#include "base/budget.h"
#include "base/fields.h"
#include "runner/outcome_wire.h"
#include "runner/request_wire.h"

namespace tritonrl::runner {
namespace {

using base::Json;

constexpr std::int64_t kMostAnswer = 1 << 20;

}  // namespace

bool completed(const RunOutcome& outcome) {
  return outcome.kind == RunOutcome::Kind::kCompleted;
}

DeviceProcess::Reply DeviceProcess::ask(MessageView message, std::int64_t wall_ms,
                                        const std::vector<base::UniqueFd>& descriptors) {
  Reply out;
  message.header["wall_ms"] = wall_ms;
  std::vector<int> given;
  for (const base::UniqueFd& one : descriptors) given.push_back(one.get());
  bool first = true;
  const bool sent = send_message(std::move(message), [&](std::string_view frame) {
    const bool done = job_.send(frame, first ? std::span<const int>(given) : std::span<const int>());
    first = false;
    return done;
  });
  std::optional<Message> reply;
  if (sent) reply = receive_message([&] { return job_.receive(); }, kMostAnswer, nullptr);
  if (!reply) {
    out.outcome = ended(wall_ms);
    return out;
  }
  out.descriptors = job_.take_descriptors();
  out.body = std::move(reply->header);
  try {
    base::read_fields(out.body, out.outcome);
    if (const Json* answer = out.body.find("answer")) out.outcome.answer = answer_from_json(*answer);
    alive_ = !out.body.at("broken").get<bool>();
  } catch (const base::JsonError& error) {
    out.outcome.kind = RunOutcome::Kind::kMalformed;
    out.outcome.message = error.what();
    alive_ = false;
  }
  return out;
}

RunOutcome DeviceProcess::load(const char* slot, const RunRequest& request, std::int64_t wall_ms) {
  std::string text;
  MessageView message = to_message(request, nullptr, &text);
  const bool reference = slot == std::string_view("reference");
  if (reference && reference_ == text) return {};
  if (reference) reference_.clear();
  message.header["do"] = "load";
  message.header["slot"] = slot;
  const RunOutcome out = ask(std::move(message), wall_ms).outcome;
  if (completed(out) && reference) reference_ = std::move(text);
  return out;
}

void DeviceProcess::release_all(std::int64_t wall_ms) {
  reference_.clear();
  if (alive_) ask(Json{{"do", "release"}, {"all", true}}, wall_ms);
}

RunOutcome DeviceProcess::ended(std::int64_t wall_ms) {
  alive_ = false;
  const sandbox::Exit exit = job_.finish();
  RunOutcome out;
  const bool time = exit.kind == sandbox::Exit::Kind::kTimedOut ||
                    (exit.kind == sandbox::Exit::Kind::kExited && exit.code == kTimeIsOver);
  out.kind = time ? RunOutcome::Kind::kTimeout : RunOutcome::Kind::kCrashed;
  out.message =
      time ? base::no_answer_within(wall_ms) : "the process on the GPU ended: " + exit.message + " " + job_.log();
  return out;
}

}  // namespace tritonrl::runner
