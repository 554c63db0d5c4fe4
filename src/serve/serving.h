#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "judge/options.h"
#include "serve/completion_request.h"
#include "serve/judge_desk.h"
#include "serve/options.h"

namespace tritonrl::serve {

// Who does the work.
struct ServedParts {
  JudgeDesk::MakeJudge judge = {};  // empty: nothing is judged
  judge::JudgeOptions judge_options = {};
  ServedModel model = {};    // must outlive the service; without a generator there is none
  std::string version = {};  // of the description
};

// The service behind one port.
class Serving {
 public:
  // Makes the judge (seconds) and listens. `token` empty: none is asked for. UserError for an address or a folder that
  // cannot be used, and where others could reach a service without a token, unless options.open.
  Serving(const ServeOptions& options, const std::string& token, const ServedParts& parts);
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  int port() const;
  // Until stop(); then what is being judged is finished and answered, for at most `grace`.
  void run(std::chrono::milliseconds grace = std::chrono::milliseconds(150'000));
  // From any thread. What waits hears 503.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tritonrl::serve
