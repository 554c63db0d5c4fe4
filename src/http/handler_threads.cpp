#include "http/handler_threads.h"

#include <exception>

namespace tritonrl::http {

HandlerThreads::HandlerThreads(Handler& handler, int threads) : handler_(handler) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

HandlerThreads::~HandlerThreads() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void HandlerThreads::handle(Request request, Reply reply) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back(std::move(request), std::move(reply));
  }
  came_.notify_one();
}

void HandlerThreads::work(const std::stop_token& stop) {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (!came_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
    auto [request, reply] = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    try {
      handler_.handle(std::move(request), reply);
    } catch (const std::exception& error) {
      reply.send(handler_.failure(500, error.what()));
    }
  }
}

}  // namespace tritonrl::http
