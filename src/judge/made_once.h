#pragma once

#include <cstddef>
#include <exception>
#include <future>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/error.h"

namespace tritonrl::judge {

// Things of a kind, each made once; the least recently used is forgotten. Thread-safe: who wants what is being made
// waits for it.
template <class T>
class MadeOnce {
 public:
  explicit MadeOnce(std::size_t kept) : kept_(kept) {}

  template <class Make>
  T get(const std::string& key, Make make) {
    std::promise<T> promise;
    std::shared_future<T> future;
    bool mine = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = entries_.find(key);
      if (found != entries_.end()) {
        order_.splice(order_.begin(), order_, found->second.second);
        future = found->second.first;
      } else {
        mine = true;
        future = promise.get_future().share();
        order_.push_front(key);
        entries_[key] = {future, order_.begin()};
        if (order_.size() > kept_) {
          entries_.erase(order_.back());
          order_.pop_back();
        }
      }
    }
    if (mine) {
      try {
        promise.set_value(make());
      } catch (const base::InfrastructureError&) {  // passing: the next one tries again
        forget(key);
        promise.set_exception(std::current_exception());
      } catch (...) {
        promise.set_exception(std::current_exception());
      }
    }
    return future.get();
  }

 private:
  void forget(const std::string& key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return;
    order_.erase(found->second.second);
    entries_.erase(found);
  }

  const std::size_t kept_;
  std::mutex mutex_;
  std::list<std::string> order_;
  std::map<std::string, std::pair<std::shared_future<T>, std::list<std::string>::iterator>> entries_;
};

}  // namespace tritonrl::judge
