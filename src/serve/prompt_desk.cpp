#include "serve/prompt_desk.h"

#include <algorithm>
#include <exception>
#include <iterator>

namespace tritonrl::serve {
namespace {

constexpr const char* kStopping = "the server is stopping";

// The name of a prompt within its group: "work.prompt".
std::string name_of(std::size_t work, std::size_t prompt) {
  return std::to_string(work) + "." + std::to_string(prompt);
}
std::pair<std::size_t, std::size_t> places_of(const std::string& name) {
  const std::size_t dot = name.find('.');
  return {std::stoull(name.substr(0, dot)), std::stoull(name.substr(dot + 1))};
}

}  // namespace

PromptDesk::PromptDesk(generate::Generator& generator, int most)
    : generator_(generator), most_(static_cast<std::size_t>(most)), thread_([this] { work(); }) {}

PromptDesk::~PromptDesk() {
  stop();
}

void PromptDesk::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  came_.notify_all();
}

bool PromptDesk::take(Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= most_) return false;
    if (!stopped_) {
      waiting_.push_back(std::move(work));
      came_.notify_one();
      return true;
    }
  }
  work.finished({}, kStopping);
  return true;
}

std::int64_t PromptDesk::waiting() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(waiting_.size());
}

void PromptDesk::work() {
  for (;;) {
    std::vector<Work> group;
    {
      std::unique_lock lock(mutex_);
      came_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
      std::move(waiting_.begin(), waiting_.end(), std::back_inserter(group));
      waiting_.clear();
    }
    if (stopped_) {
      for (const Work& one : group) one.finished({}, kStopping);
      return;
    }
    std::erase_if(group, [](const Work& one) {
      const bool gone = one.abandoned && one.abandoned();
      if (gone) one.finished({}, "nobody waits for it any more");
      return gone;
    });
    if (!group.empty()) answer(std::move(group));
  }
}

void PromptDesk::answer(std::vector<Work> group) {
  std::vector<generate::GenerateRequest> requests;
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (std::size_t k = 0; k < group[i].prompts.size(); ++k) {
      requests.push_back(std::move(group[i].prompts[k]));
      requests.back().id = name_of(i, k);
    }
  }
  generate::GenerateEvents events;
  events.on_text = [&](const std::string& id, int index, std::string_view text) {
    const auto [work, prompt] = places_of(id);
    const Work& one = group[work];
    if (one.abandoned && one.abandoned()) return false;
    return !one.on_text || one.on_text(prompt, index, text);
  };
  events.cancelled = [this] { return stopped_.load(); };
  std::vector<record::Sample> samples;
  std::string problem;
  try {
    samples = generator_.generate(requests, events);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (stopped_) problem = kStopping;
  std::vector<std::vector<record::Sample>> by_work(group.size());
  for (record::Sample& sample : samples) by_work[places_of(sample.id).first].push_back(std::move(sample));
  for (std::size_t i = 0; i < group.size(); ++i) group[i].finished(std::move(by_work[i]), problem);
}

}  // namespace tritonrl::serve
