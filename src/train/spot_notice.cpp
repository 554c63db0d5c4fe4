#include "train/spot_notice.h"

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "http/client.h"

namespace tritonrl::train {

bool SpotNotice::is_address(const std::string& place) {
  return place.starts_with("http://") || place.starts_with("https://");
}

SpotNotice::SpotNotice(std::string place, std::function<void(const std::string&)> warn, std::chrono::milliseconds every)
    : place_(std::move(place)), warn_(std::move(warn)), every_(every) {
  if (!is_address(place_)) return;
  if (!http::Url::parse(place_))
    throw base::UserError("train", "--spot-notice " + place_ + " is no address; it looks like http://host/path");
  came_ = ask();
  if (!came_) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

SpotNotice::~SpotNotice() = default;

bool SpotNotice::came() const {
  if (place_.empty() || is_address(place_)) return came_;
  return std::filesystem::exists(place_);
}

bool SpotNotice::ask() {
  http::Client client({.endpoint = place_, .connect_ms = 2'000});
  const http::ClientAnswer answer = client.ask({.url = place_, .idle_seconds = 5}, {});
  if (answer.problem.empty() && answer.last.status == 200) return true;
  const bool none = answer.problem.empty() && answer.last.status == 404;
  if (!none && !std::exchange(warned_, true) && warn_)
    warn_("the spot notice at " + answer.where + " cannot be read (" +
          (answer.problem.empty() ? "status " + std::to_string(answer.last.status) : answer.problem) +
          "); it is asked again, and the run goes on");
  return false;
}

void SpotNotice::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!came_) {
    wake_.wait_for(lock, stop, every_, [] { return false; });
    if (stop.stop_requested()) return;
    came_ = ask();
  }
}

}  // namespace tritonrl::train
