#include "cli/model/optimize_batch.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/line_log.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/model/optimizer.h"
#include "cli/stop_signals.h"
#include "cli/terminal_text.h"
#include "judge/version.h"
#include "optimize/delivery.h"
#include "optimize/module_list.h"
#include "optimize/module_result.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using optimize::ListedModule;
using optimize::ModuleResult;

constexpr int kWorkersOfOne = 4;  // candidates of one module judged at once, while others are worked on too

// All that results depend on beside the modules.
Json options_json(const OptimizeArguments& arguments) {
  return {{"judge_version", judge::judge_version()},
          {"judge", base::field_key(arguments.judge)},
          {"search", base::field_key(arguments.search)}};
}

// Results as they come, behind a first line with the options.
class Results {
 public:
  Results(const fs::path& path, const Json& options, bool overwrite) : log_(path) {
    const std::vector<std::string> lines = overwrite ? std::vector<std::string>() : log_.lines();
    const std::string head = Json{{"options", options}}.dump();
    if (!lines.empty() && lines.front() != head)
      throw base::UserError("optimize", path.string() + ": is there, and is not of these options and this judge; " +
                                            "choose another --out, or pass --overwrite to begin anew");
    log_.keep(lines.size());
    if (lines.empty()) log_.append(head);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      base::Result<ModuleResult> read = base::from_json<ModuleResult>(lines[i], "a result");
      if (!read.ok())
        throw base::UserError("optimize", path.string() + ":" + std::to_string(i + 1) + ": " + read.error());
      kept_.push_back(std::move(read).value());
    }
  }

  const std::vector<ModuleResult>& all() const { return kept_; }
  bool has(const std::string& id) const {
    return std::any_of(kept_.begin(), kept_.end(), [&](const ModuleResult& one) { return one.id == id; });
  }
  void add(ModuleResult result) {
    log_.append(base::to_json(result).dump());
    kept_.push_back(std::move(result));
  }
  void sync() { log_.sync(); }

 private:
  base::LineLog log_;
  std::vector<ModuleResult> kept_;
};

class Batch {
 public:
  Batch(const OptimizeArguments& arguments, bool precision_given, std::vector<ListedModule> modules, Results& results)
      : arguments_(arguments),
        results_(results),
        modules_(std::move(modules)),
        optimizer_(arguments, precision_given),
        progress_(shown()) {
    for (const ModuleResult& one : results.all()) progress_.add_earlier(kind_of(one));
    progress_.show();
  }

  int run() {
    {
      std::vector<std::jthread> threads;
      const int cores = static_cast<int>(std::thread::hardware_concurrency());
      const int count = arguments_.batch.at_once > 0 ? arguments_.batch.at_once : std::max(1, cores / 2);
      for (int i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    }
    progress_.finish();
    results_.sync();
    if (failure_) std::rethrow_exception(failure_);
    return end();
  }

 private:
  static std::string kind_of(const ModuleResult& result) {
    return result.faster ? "faster" : result.proven ? "slower" : "not proven";
  }

  base::ProgressOptions shown() const {
    using Style = base::ProgressOptions::Style;
    base::ProgressOptions out;
    out.label = "modules";
    out.total = static_cast<std::int64_t>(modules_.size());
    out.style = arguments_.quiet ? Style::kSilent : Style::kAuto;
    return out;
  }

  bool stopped() const { return failed_ || signals_.received() != 0; }

  // The next one without a result; null: none is to be begun.
  const ListedModule* next() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    if (stopped() || (arguments_.batch.stop_after > 0 && seconds >= arguments_.batch.stop_after)) return nullptr;
    while (next_ < modules_.size() && results_.has(modules_[next_].id)) ++next_;
    return next_ < modules_.size() ? &modules_[next_++] : nullptr;
  }

  void work() {
    while (const ListedModule* module = next()) {
      try {
        ModuleResult result = work_on(*module);
        if (stopped()) return;  // the search was cut short: the next call does it again
        const std::lock_guard<std::mutex> lock(mutex_);
        progress_.add(kind_of(result));
        results_.add(std::move(result));
      } catch (const base::InfrastructureError& error) {
        if (stopped()) return;
        progress_.say("tritonrl: " + module->id + ": " + error.what());
        ++ours_;
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        failed_ = true;
      }
    }
  }

  ModuleResult work_on(const ListedModule& module) {
    optimize::OptimizeTools tools;
    tools.began = Clock::now();
    tools.stopped = [this] { return stopped(); };
    try {
      const optimize::Subject subject = optimizer_.find(module.request);
      const optimize::Delivery delivery =
          optimize::delivery_of(subject, files() / (module.id + (module.id.ends_with(".py") ? "" : ".py")));
      const optimize::Optimized found = optimizer_.run(subject, tools);
      std::optional<record::Verdict> reference;
      if (found.best() == nullptr && !stopped()) reference = optimizer_.reference(subject, found.task);
      optimize::deliver(subject, found, arguments_.search, delivery, optimizer_.other_state(found));
      const bool written = optimize::is_delivered(found, arguments_.search);
      return optimize::result_of(module.id, subject, found, reference ? &*reference : nullptr,
                                 written ? delivery.code.string() : "");
    } catch (const base::UserError& error) {
      ModuleResult out = optimize::refused(module.id, module.request.place, error.what());
      out.seconds = std::chrono::duration<double>(Clock::now() - tools.began).count();
      return out;
    }
  }

  fs::path files() const {
    return arguments_.batch.files.empty() ? fs::path(arguments_.out).replace_extension()
                                          : fs::path(arguments_.batch.files);
  }

  int end() {
    print(optimize::summary_text(results_.all()));
    std::cerr << "tritonrl: results are in " << arguments_.out << ", files in " << files().string() << "\n";
    const std::size_t left = modules_.size() - std::min(modules_.size(), results_.all().size());
    if (left > 0) std::cerr << "tritonrl: " << left << " modules are left; the same command goes on\n";
    if (signals_.received() != 0) return 128 + signals_.received();
    return ours_ > 0 ? kOurs : kDone;
  }

  using Clock = std::chrono::steady_clock;
  const OptimizeArguments& arguments_;
  Results& results_;
  const std::vector<ListedModule> modules_;
  const Clock::time_point began_ = Clock::now();
  StopSignals signals_;
  Optimizer optimizer_;
  base::Progress progress_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::atomic<int> ours_ = 0;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace

int run_batch(const OptimizeArguments& given, const CLI::App& command) {
  OptimizeArguments arguments = given;
  if (arguments.out.empty()) arguments.out = "optimized.jsonl";
  if (arguments.search.workers == 0) arguments.search.workers = kWorkersOfOne;
  std::vector<ListedModule> modules = optimize::read_modules(arguments.batch.in);
  Results results(arguments.out, options_json(arguments), arguments.batch.overwrite);
  return Batch(arguments, command.get_option("--precision")->count() > 0, std::move(modules), results).run();
}

}  // namespace tritonrl::cli
