#include "cli/verify_batch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/progress.h"
#include "base/unique_fd.h"
#include "cli/batch_input.h"
#include "cli/batch_output.h"
#include "cli/batch_window.h"
#include "cli/commands.h"
#include "cli/line_reader.h"
#include "cli/stop_signals.h"
#include "judge/pool.h"
#include "judge/version.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using record::Verdict;
using record::VerdictKind;

constexpr std::size_t kLineLimit = std::size_t{64} << 20;

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

base::UniqueFd open_input(const BatchOptions& options) {
  if (options.in == "-") return base::UniqueFd(::dup(STDIN_FILENO));
  base::UniqueFd fd(::open(options.in.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) throw base::UserError("batch", base::system_message(options.in) + "; check the path of --batch");
  struct stat info {};
  if (::fstat(fd.get(), &info) == 0 && S_ISDIR(info.st_mode))
    throw base::UserError("batch", options.in + ": is a directory; --batch names a file of JSON lines");
  std::error_code none;
  if (options.out != "-" && S_ISREG(info.st_mode) && fs::equivalent(options.in, options.out, none))
    throw base::UserError("batch", options.out + ": is the input; choose another --out");
  return fd;
}

// Nothing for a pipe, whose lines cannot be counted before they come.
std::optional<std::int64_t> count_lines(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  LineReader reader(fd, -1, kLineLimit);
  std::int64_t lines = 0;
  std::string line;
  for (;;) {
    const LineReader::Next next = reader.next(line);
    if (next == LineReader::Next::kEnd) break;
    if (next == LineReader::Next::kTooLong || !is_blank(line)) ++lines;
  }
  if (::lseek(fd, 0, SEEK_SET) != 0) return std::nullopt;
  return lines;
}

class Batch {
 public:
  Batch(const BatchOptions& options, const MakeJudge& make_judge)
      : options_(options),
        input_(open_input(options)),
        output_({options.out, options.overwrite, options.fingerprint, options.seed}),
        total_(options.quiet ? std::nullopt : count_lines(input_.get())),
        reader_(input_.get(), signals_.fd(), kLineLimit),
        window_(!options.unordered) {
    if (options.unordered && output_.resumable())
      throw base::UserError("batch", "--unordered is for pipes: pass --out - with it");
    skip_kept();
    begin_progress();
    judge_ = make_judge(output_.seed());
    progress_->restart_clock();  // the judge's start is no part of the rate
    judge::PoolOptions pool;
    pool.threads = options.workers;
    pool_.emplace(*judge_, pool);
  }

  int run() {
    std::thread reading([this] { read(); });
    std::thread stopping([this] { cancel_on_signal(); });
    std::exception_ptr failure;
    try {
      write_results();
    } catch (...) {
      failure = std::current_exception();
    }
    done_ = true;
    signals_.stop();
    window_.close();
    pool_->cancel();
    reading.join();
    stopping.join();
    if (failure) std::rethrow_exception(failure);
    if (reading_failure_ && signals_.received() == 0) std::rethrow_exception(reading_failure_);
    return end();
  }

 private:
  // The next line that is not blank, with its hash.
  LineReader::Next next(std::string& line) {
    for (;;) {
      const LineReader::Next got = reader_.next(line);
      if (got == LineReader::Next::kEnd || got == LineReader::Next::kStopped) return got;
      ++line_number_;
      if (got == LineReader::Next::kTooLong) line.clear();
      if (got == LineReader::Next::kLine && is_blank(line)) continue;
      if (output_.resumable()) input_hash_ = chain_hash(input_hash_, line);
      return got;
    }
  }

  void skip_kept() {
    std::string line;
    for (std::int64_t i = 0; i < output_.kept(); ++i) {
      const LineReader::Next got = next(line);
      if (got == LineReader::Next::kStopped) throw base::UserError("batch", "stopped before anything was judged");
      if (got == LineReader::Next::kEnd) input_hash_.clear();
    }
    output_.go_on(input_hash_);
  }

  void begin_progress() {
    using Style = base::ProgressOptions::Style;
    base::ProgressOptions shown;
    shown.label = "candidates";
    shown.total = total_;
    shown.style = options_.quiet ? Style::kSilent : Style::kAuto;
    progress_.emplace(shown);
    for (const auto& [kind, count] : output_.kept_kinds()) {
      for (std::int64_t i = 0; i < count; ++i) progress_->add_earlier(kind);
      count_up(kind, count);
    }
    if (output_.kept() > 0)
      progress_->say("tritonrl: " + std::to_string(output_.kept()) + " results of an earlier run are kept");
    progress_->show();
  }

  void read() {
    try {
      const fs::path folder = options_.in == "-" ? fs::path() : fs::path(options_.in).parent_path();
      std::string text;
      for (;;) {
        const LineReader::Next got = next(text);
        if (got == LineReader::Next::kEnd || got == LineReader::Next::kStopped) break;
        Ticket ticket;
        serve::Candidate line;
        if (got == LineReader::Next::kTooLong) {
          line.error = {"", "is longer than " + std::to_string(kLineLimit) + " bytes"};
        } else {
          line = parse_batch_line(text, folder);
        }
        ticket.line = line_number_;
        ticket.id = line.id;
        ticket.input_hash = input_hash_;
        ticket.error = line.error;
        if (line.submission)
          ticket.verdict = pool_->submit(*std::move(line.submission), [this] { window_.look_again(); });
        window_.push(std::move(ticket));
      }
    } catch (...) {
      reading_failure_ = std::current_exception();
    }
    window_.end();
  }

  // Waiting candidates are given up at once, so that the writer comes to an end.
  void cancel_on_signal() {
    signals_.wait();
    if (done_) return;
    progress_->say("tritonrl: stopping after what is being judged; once more stops at once");
    pool_->cancel();
  }

  void write_results() {
    while (std::optional<Ticket> ticket = window_.pop()) {
      LineError error = ticket->error;
      std::optional<Verdict> verdict;
      if (ticket->verdict) {
        try {
          verdict = ticket->verdict->get();
        } catch (const base::UserError& bad_task) {
          error = {"task", bad_task.what()};
        } catch (const std::exception& ours) {
          verdict.emplace();
          verdict->kind = VerdictKind::kInfrastructure;
          verdict->message = ours.what();
          verdict->judge_version = judge::judge_version();
        }
      }
      // Whatever a stop disturbed is judged by the run that goes on from here.
      if (signals_.received() != 0 && verdict && verdict->kind == VerdictKind::kInfrastructure) return;
      const std::string kind = verdict ? std::string(to_string(verdict->kind)) : "error";
      output_.write(
          verdict ? serve::verdict_line(ticket->id, *verdict) : serve::error_line(ticket->id, ticket->line, error),
          ticket->input_hash);
      count_up(kind, 1);
      progress_->add(kind);
    }
    complete_ = signals_.received() == 0;
  }

  void count_up(const std::string& kind, std::int64_t count) {
    if (kind == "error") bad_lines_ += count;
    if (kind == to_string(VerdictKind::kInfrastructure)) ours_ += count;
    if (kind == to_string(VerdictKind::kUnjudged)) unjudged_ += count;
  }

  int end() {
    progress_->finish();
    if (!complete_) {
      say(output_.resumable() ? "stopped; what is judged is in " + output_.path() + ", the same command goes on"
                              : "stopped; what was judged is written");
      return 128 + signals_.received();
    }
    output_.finish();
    if (bad_lines_ > 0) say(std::to_string(bad_lines_) + " lines could not be judged: see \"error\" in the results");
    if (ours_ > 0)
      say(std::to_string(ours_) + " verdicts are infrastructure: no candidate's fault, judge them again later");
    if (unjudged_ > 0)
      say(std::to_string(unjudged_) + " verdicts are unjudged: their tasks cannot be judged here; leave those out");
    return ours_ > 0 ? kOurs : bad_lines_ > 0 ? kUserMustFix : kDone;
  }

  void say(const std::string& text) const {
    if (!options_.quiet) std::fprintf(stderr, "tritonrl: %s\n", text.c_str());
  }

  const BatchOptions options_;
  StopSignals signals_;
  base::UniqueFd input_;
  BatchOutput output_;
  const std::optional<std::int64_t> total_;
  std::optional<base::Progress> progress_;
  LineReader reader_;
  BatchWindow window_;
  std::unique_ptr<judge::Judge> judge_;
  std::optional<judge::Pool> pool_;
  std::int64_t line_number_ = 0;
  std::string input_hash_;
  std::exception_ptr reading_failure_;
  std::int64_t bad_lines_ = 0, ours_ = 0, unjudged_ = 0;
  std::atomic<bool> done_ = false;
  bool complete_ = false;
};

}  // namespace

int verify_batch(const BatchOptions& options, const MakeJudge& make_judge) {
  return Batch(options, make_judge).run();
}

}  // namespace tritonrl::cli
