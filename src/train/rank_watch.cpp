#include "train/rank_watch.h"

#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"

namespace tritonrl::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMeeting{300};
constexpr std::chrono::seconds kBeat{1};
constexpr int kFailed = 2;  // exit code: the user must fix something

std::vector<std::uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

}  // namespace

struct RankWatch::State {
  RankEnvironment environment;
  std::chrono::seconds silence;
  c10::intrusive_ptr<c10d::TCPStore> store;
  std::mutex mutex;
  std::condition_variable_any wake;
  std::jthread thread;  // last: it uses the others

  std::string key(const std::string& name) const { return "tritonrl/" + environment.attempt + name; }
  std::string rank_text() const {
    return "rank " + std::to_string(environment.rank) + " of " + std::to_string(environment.ranks);
  }

  [[noreturn]] void end(const std::string& why) const {
    std::cerr << "tritonrl: " + rank_text() + " ends: " + why + "; the newest checkpoint is there for the next start\n";
    std::cerr.flush();
    // the others read why before the store goes that it serves
    if (environment.rank == 0 && environment.ranks > 1) std::this_thread::sleep_for(3 * kBeat);
    std::_Exit(kFailed);  // the GPU's work may never end: nothing waits for it
  }

  // One beat of ours, and a look at the others'.
  void watch(const std::stop_token& stop) {
    struct Heard {
      std::int64_t beat = 0;
      Clock::time_point when = Clock::now();
    };
    std::vector<Heard> heard(static_cast<std::size_t>(environment.ranks));
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      try {
        store->add(key("beat/" + std::to_string(environment.rank)), 1);
        if (store->check({key("failed")})) {
          const std::vector<std::uint8_t> why = store->get(key("failed"));
          end(std::string(why.begin(), why.end()));
        }
        // the first looks at all, the others know of it by the store that it serves
        for (int other = 1; environment.rank == 0 && other < environment.ranks; ++other) {
          Heard& last = heard[static_cast<std::size_t>(other)];
          const std::int64_t beat = store->add(key("beat/" + std::to_string(other)), 0);
          if (beat != last.beat) last = {.beat = beat, .when = Clock::now()};
          if (Clock::now() - last.when > silence) {
            const std::string why = "rank " + std::to_string(other) + " was not heard of for " +
                                    std::to_string(silence.count()) + " s; look at its machine";
            store->set(key("failed"), bytes_of(why));
            end(why);
          }
        }
      } catch (const std::exception& error) {
        if (stop.stop_requested()) return;
        end(std::string("the first rank is gone (") + error.what() + ")");
      }
      wake.wait_for(lock, stop, kBeat, [] { return false; });
    }
  }
};

RankWatch::RankWatch(const RankEnvironment& environment, std::chrono::seconds silence)
    : state_(std::make_unique<State>()) {
  if (environment.host.empty())
    throw base::UserError(
        "train", "the ranks are on several machines: set MASTER_ADDR to the first one's address for all of them");
  state_->environment = environment;
  state_->silence = silence;
  c10d::TCPStoreOptions options;
  options.port = environment.port;
  options.isServer = environment.rank == 0 && !environment.hosted;
  options.waitWorkers = false;
  options.timeout = kMeeting;
  try {
    state_->store = c10::make_intrusive<c10d::TCPStore>(environment.host, options);
    state_->store->set(state_->key("here/" + std::to_string(environment.rank)), bytes_of("1"));
    std::vector<std::string> all;
    for (int rank = 0; rank < environment.ranks; ++rank) all.push_back(state_->key("here/" + std::to_string(rank)));
    state_->store->wait(all, kMeeting);
  } catch (const std::exception& error) {
    throw base::UserError("train", state_->rank_text() + " does not find all others at " + environment.host + ":" +
                                       std::to_string(environment.port) + " (" + error.what() +
                                       "); check MASTER_ADDR and MASTER_PORT, and that every rank was started");
  }
  state_->thread = std::jthread([state = state_.get()](const std::stop_token& stop) { state->watch(stop); });
}

RankWatch::~RankWatch() {
  stop();
}

std::string RankWatch::from_first(const std::string& bytes) {
  if (state_->environment.rank == 0) state_->store->set(state_->key("first"), bytes_of(bytes));
  const std::vector<std::uint8_t> read = state_->store->get(state_->key("first"));
  return {read.begin(), read.end()};
}

void RankWatch::stop() {
  if (!state_->thread.joinable()) return;
  state_->thread.request_stop();
  state_->thread.join();
}

void RankWatch::abandon(const std::string& why) {
  stop();
  try {
    state_->store->set(state_->key("failed"), bytes_of(state_->rank_text() + " failed: " + why));
  } catch (const std::exception&) {  // there is nobody left to be told
  }
  state_->end(why);
}

}  // namespace tritonrl::train
