#pragma once

#include <string>

#include "http/message.h"
#include "http/server.h"
#include "serve/metrics.h"

namespace tritonrl::serve {

// One request on its way through the service. Copies are the same one.
class Call {
 public:
  Call(http::Reply reply, Metrics& metrics, const char* route)
      : reply_(std::move(reply)), metrics_(&metrics), route_(route) {}

  void answer(http::Answer answer) const {
    metrics_->request(route_, answer.status);
    reply_.send(std::move(answer));
  }
  // In parts (http::Reply).
  void begin(http::Answer answer) const {
    metrics_->request(route_, answer.status);
    reply_.begin(std::move(answer));
  }
  bool write(std::string_view part) const { return reply_.write(part); }
  void end() const { reply_.end(); }
  bool gone() const { return reply_.gone(); }

 private:
  http::Reply reply_;
  Metrics* metrics_;
  const char* route_;
};

}  // namespace tritonrl::serve
