#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "generate/generator.h"

namespace tritonrl::serve {

// Where prompts wait for the model, which answers one group at a time: all that came while the last was written.
class PromptDesk {
 public:
  // `generator` must outlive this.
  PromptDesk(generate::Generator& generator, int most);
  // Cancels what is being written; what waits hears it.
  ~PromptDesk();

  struct Work {
    std::vector<generate::GenerateRequest> prompts;
    // Text as it grows, with the place of its prompt; false: no more of it is wanted. May be empty.
    std::function<bool(std::size_t prompt, int index, std::string_view text)> on_text = {};
    std::function<bool()> abandoned = {};  // asked now and then: nobody waits any more
    // Once, on the model's thread: the samples in the order of prompts and indices, or (`problem`) why there are none.
    std::function<void(std::vector<record::Sample> samples, const std::string& problem)> finished = {};
  };
  // False: too many wait.
  bool take(Work work);

  std::int64_t waiting() const;
  // What is being written is broken off, and nothing is begun.
  void stop();

 private:
  void work();
  void answer(std::vector<Work> group);

  generate::Generator& generator_;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Work> waiting_;
  std::atomic<bool> stopped_ = false;
  std::jthread thread_;
};

}  // namespace tritonrl::serve
