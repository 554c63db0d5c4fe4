#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "http/server.h"

namespace tritonrl::http {

// Threads that call a handler. No more wait than there are connections, since each has one request at a time.
class HandlerThreads {
 public:
  HandlerThreads(Handler& handler, int threads);
  // What waits is dropped, which answers it with 500.
  ~HandlerThreads();

  void handle(Request request, Reply reply);

 private:
  void work(const std::stop_token& stop);

  Handler& handler_;
  std::mutex mutex_;
  std::condition_variable_any came_;
  std::deque<std::pair<Request, Reply>> waiting_;
  std::vector<std::jthread> threads_;
};

}  // namespace tritonrl::http
