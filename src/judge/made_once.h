#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/error.h"

namespace tritonrl::judge {

// How much is kept: things, and what they hold together; the one used last is always kept.
struct KeptAtMost {
  std::size_t things = 64;
  std::size_t bytes = std::size_t{1} << 30;
};

// Things of a kind, each made once; the least recently used is forgotten. Thread-safe: who wants what is being made
// waits for it.
template <class T>
class MadeOnce {
 public:
  using BytesOf = std::function<std::size_t(const T&)>;
  // Without `bytes_of` they are taken to hold nothing worth counting.
  explicit MadeOnce(KeptAtMost most, BytesOf bytes_of = {}) : most_(most), bytes_of_(std::move(bytes_of)) {}

  template <class Make>
  T get(const std::string& key, Make make) {
    std::promise<T> promise;
    std::shared_future<T> future;
    bool mine = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = entries_.find(key);
      if (found != entries_.end()) {
        order_.splice(order_.begin(), order_, found->second.place);
        future = found->second.made;
      } else {
        mine = true;
        future = promise.get_future().share();
        order_.push_front(key);
        entries_[key] = {future, order_.begin(), 0};
        forget_oldest();
      }
    }
    if (mine) {
      try {
        T made = make();
        weigh(key, made);
        promise.set_value(std::move(made));
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
  struct Entry {
    std::shared_future<T> made;
    std::list<std::string>::iterator place;
    std::size_t bytes = 0;
  };

  void weigh(const std::string& key, const T& made) {
    if (!bytes_of_) return;
    const std::size_t bytes = bytes_of_(made);
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return;  // forgotten meanwhile
    bytes_ += bytes - found->second.bytes;
    found->second.bytes = bytes;
    forget_oldest();
  }

  void forget_oldest() {
    while (order_.size() > 1 && (order_.size() > most_.things || bytes_ > most_.bytes)) {
      const auto last = entries_.find(order_.back());
      bytes_ -= last->second.bytes;
      entries_.erase(last);
      order_.pop_back();
    }
  }

  void forget(const std::string& key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return;
    bytes_ -= found->second.bytes;
    order_.erase(found->second.place);
    entries_.erase(found);
  }

  const KeptAtMost most_;
  const BytesOf bytes_of_;
  std::mutex mutex_;
  std::list<std::string> order_;
  std::map<std::string, Entry> entries_;
  std::size_t bytes_ = 0;
};

}  // namespace tritonrl::judge
