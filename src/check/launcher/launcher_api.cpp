#include "check/launcher/launcher_api.h"

#include <exception>
#include <memory>
#include <string>

#include "base/fields.h"
#include "check/launcher/launcher.h"

namespace {

using tritonrl::base::Json;
using tritonrl::check::Launcher;
using tritonrl::check::LauncherOptions;

struct Session {
  Launcher launcher;
  std::string answer;  // the last one
};

Session& session_of(void* session) {
  return *static_cast<Session*>(session);
}

// No exception may reach Python.
template <class Work>
const char* answer(void* opaque, Work&& work) {
  Session& session = session_of(opaque);
  try {
    session.answer = work(session.launcher).dump();
  } catch (const std::exception& error) {
    session.answer = Json{{"error", error.what()}}.dump();
  }
  return session.answer.c_str();
}

}  // namespace

extern "C" {

void* tritonrl_check_open(const char* options) {
  try {
    auto read = tritonrl::base::from_json<LauncherOptions>(options, "options");
    return read.ok() ? new Session{Launcher(std::move(read).value()), {}} : nullptr;
  } catch (const std::exception&) {
    return nullptr;
  }
}

int tritonrl_check_add(void* session, void* data, std::int64_t bytes) {
  return session_of(session).launcher.memory().add(static_cast<std::byte*>(data), bytes, "memory");
}

std::uint64_t tritonrl_check_address(void* session, int number) {
  return session_of(session).launcher.memory().at(number).address;
}

void tritonrl_check_remove(void* session, int number) {
  session_of(session).launcher.remove(number);
}

void tritonrl_check_name(void* session, int number, const char* name) {
  session_of(session).launcher.memory().at(number).name = name;
}

void tritonrl_check_undefined(void* session, int number, std::uint8_t* bytes) {
  session_of(session).launcher.set_undefined(number, bytes);
}

const char* tritonrl_check_make(void* session, const char* ir, const char* file) {
  return answer(session, [&](Launcher& launcher) {
    const tritonrl::base::Result<int> made = launcher.make(ir, file);
    return made.ok() ? Json{{"kernel", made.value()}} : Json{{"error", made.error()}};
  });
}

const char* tritonrl_check_launch(void* session, const char* request) {
  return answer(session,
                [&](Launcher& launcher) { return tritonrl::base::to_json(launcher.launch(Json::parse(request))); });
}
}
