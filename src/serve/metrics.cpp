#include "serve/metrics.h"

#include <functional>
#include <sstream>

namespace tritonrl::serve {
namespace {

void head(std::ostream& out, const char* name, const char* type, const char* help) {
  out << "# HELP tritonrl_" << name << " " << help << "\n# TYPE tritonrl_" << name << " " << type << "\n";
}

void single(std::ostream& out, const char* name, const char* type, const char* help, double value) {
  head(out, name, type, help);
  out << "tritonrl_" << name << " " << value << "\n";
}

}  // namespace

void Metrics::request(std::string_view route, int status) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status}];
}

void Metrics::verdict(std::string_view kind, double seconds) {
  const std::lock_guard lock(mutex_);
  ++verdicts_[std::string(kind)];
  ++judged_;
  seconds_ += seconds;
  for (std::size_t i = 0; i < kBounds.size(); ++i) within_[i] += seconds <= kBounds[i] ? 1 : 0;
}

void Metrics::tokens(std::int64_t prompt, std::int64_t answer) {
  const std::lock_guard lock(mutex_);
  prompt_tokens_ += prompt;
  answer_tokens_ += answer;
}

std::string Metrics::text(const Gauges& gauges) const {
  const std::lock_guard lock(mutex_);
  std::ostringstream out;
  out.precision(15);
  head(out, "requests_total", "counter", "Requests answered, by path and status.");
  for (const auto& [key, count] : requests_)
    out << "tritonrl_requests_total{path=\"" << key.first << "\",status=\"" << key.second << "\"} " << count << "\n";
  head(out, "verdicts_total", "counter", "Candidates judged, by the kind of their verdict.");
  for (const auto& [kind, count] : verdicts_)
    out << "tritonrl_verdicts_total{kind=\"" << kind << "\"} " << count << "\n";
  head(out, "judge_seconds", "histogram", "Seconds that one candidate was judged, without waiting.");
  for (std::size_t i = 0; i < kBounds.size(); ++i)
    out << "tritonrl_judge_seconds_bucket{le=\"" << kBounds[i] << "\"} " << within_[i] << "\n";
  out << "tritonrl_judge_seconds_bucket{le=\"+Inf\"} " << judged_ << "\ntritonrl_judge_seconds_sum " << seconds_
      << "\ntritonrl_judge_seconds_count " << judged_ << "\n";
  const auto gauge = [&](const char* name, const char* help, std::int64_t value) {
    single(out, name, "gauge", help, static_cast<double>(value));
  };
  gauge("candidates_waiting", "Candidates that wait to be judged.", gauges.waiting);
  gauge("candidates_judging", "Candidates that are being judged.", gauges.judging);
  gauge("jobs", "Jobs that are kept, done or not.", gauges.jobs);
  gauge("connections", "Open connections.", gauges.connections);
  gauge("prompts_waiting", "Requests that wait for the model.", gauges.prompts);
  single(out, "prompt_tokens_total", "counter", "Tokens of prompts.", static_cast<double>(prompt_tokens_));
  single(out, "answer_tokens_total", "counter", "Tokens that the model wrote.", static_cast<double>(answer_tokens_));
  const std::chrono::duration<double> up = std::chrono::steady_clock::now() - started_;
  single(out, "uptime_seconds", "gauge", "Seconds since the start.", up.count());
  return out.str();
}

}  // namespace tritonrl::serve
