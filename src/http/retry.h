#pragma once

#include <cstdint>
#include <functional>

#include "http/client.h"

namespace tritonrl::http {

// How often something is asked again, and after which pause.
class Retry {
 public:
  // Pauses double from `pause_ms`. `most_unreachable`: where no connection can be made at all; who has no network has
  // none in half a minute, too.
  Retry(std::int64_t pause_ms, int most, int most_unreachable = 2)
      : pause_ms_(pause_ms), first_pause_ms_(pause_ms), most_(most), most_unreachable_(most_unreachable) {}

  // Sleeps and says yes if the answer's problem may pass and there are attempts left. A server's own wish for a pause
  // is heeded, up to a minute. `cancelled` ends the pause.
  bool again(const ClientAnswer& answer, const std::function<bool()>& cancelled = {});
  // After progress.
  void reset();

 private:
  std::int64_t pause_ms_, first_pause_ms_;
  int most_, most_unreachable_, tried_ = 0;
};

}  // namespace tritonrl::http
