#include "python/syntax_reader.h"

#include <csignal>
#include <cstring>

#include "base/check.h"
#include "base/error.h"
#include "base/fields.h"
#include "python/service.h"
#include "sandbox/job.h"
#include "syntax/pickle.h"

namespace tritonrl::python {
namespace {

constexpr const char* kReader = "syntax reader";
constexpr std::size_t kAheadBytes = std::size_t{64} << 10;  // fits into a socket's buffer: sending it cannot block
constexpr int kTextsPerProcess = 5'000;         // then a new one: whatever a parser leaves behind does not pile up
constexpr std::int64_t kProcessFactor = 1'000;  // a process may live so many texts' time

ServiceOptions service_options(const SyntaxReaderOptions& options) {
  ServiceOptions out;
  out.name = kReader;
  out.interpreter = options.interpreter;
  out.policy = options.policy;
  out.library = options.library;
  out.module = "syntax.service";
  return out;
}

std::string request_of(std::string_view text, double seconds, bool normalise) {
  std::string request(9 + text.size(), '\0');
  std::memcpy(request.data(), &seconds, sizeof(seconds));
  request[8] = normalise ? '\1' : '\0';
  std::memcpy(request.data() + 9, text.data(), text.size());
  return request;
}

ParsedSource failed(std::string message, int line = 0) {
  ParsedSource out;
  out.error = std::move(message);
  out.line = line;
  return out;
}

// As syntax/service.py tells it.
struct ParserError {
  std::string error;
  int line = 0;
  void fields(base::FieldVisitor& field) {
    field("error", error);
    field("line", line, base::kMayLack);
  }
};

ParsedSource parsed_from(std::string reply, const std::shared_ptr<const syntax::NodeFields>& fields) {
  if (reply.starts_with("E")) {
    base::Result<ParserError> error = base::from_json<ParserError>(std::string_view(reply).substr(1), "answer");
    if (!error.ok()) return failed("the parser's answer cannot be read");
    return failed(error.value().error, error.value().line);
  }
  std::uint32_t normal = 0;
  if (!reply.starts_with("T") || reply.size() < 5) return failed("the parser's answer cannot be read");
  std::memcpy(&normal, reply.data() + 1, sizeof(normal));
  if (normal > reply.size() - 5) return failed("the parser's answer cannot be read");
  ParsedSource out;
  out.normal = reply.substr(5, normal);
  reply.erase(0, 5 + std::size_t{normal});
  base::Result<syntax::SyntaxTree> tree = syntax::tree_from_pickle(std::move(reply), fields);
  if (!tree.ok()) return failed(tree.error());
  out.tree = std::move(tree).value();
  return out;
}

}  // namespace

struct SyntaxReader::Impl {
  explicit Impl(const SyntaxReaderOptions& options) : service(service_options(options)) {
    policy = service.policy();
    seconds = static_cast<double>(policy.wall_ms) / 1000;
    policy.wall_ms *= kProcessFactor;
    policy.cpu_seconds *= kProcessFactor;
  }

  void begin() {
    job.emplace(service.start(policy));
    served = 0;
    const std::optional<std::string> hello = job->receive();
    if (!hello) ended();
    if (fields) return;
    try {
      fields = std::make_shared<syntax::NodeFields>(base::Json::parse(*hello).get<syntax::NodeFields>());
    } catch (const base::JsonError&) {
      throw base::InfrastructureError(kReader, "the parser did not introduce itself");
    }
  }

  // A process that ended before it had a text.
  [[noreturn]] void ended() {
    const sandbox::Exit exit = job->finish();
    const std::string log = job->log();
    throw base::InfrastructureError(kReader,
                                    silent_end(kReader, policy, *job, exit).message + (log.empty() ? "" : ": " + log));
  }

  // What the text that was being parsed did to its process.
  ParsedSource blame() {
    const sandbox::Exit exit = job->finish();
    const SilentEnd end = silent_end(kReader, policy, *job, exit);
    job.reset();
    if (exit.kind == sandbox::Exit::Kind::kExited && exit.code == SIGALRM)
      return failed("the parser took longer than " + std::to_string(static_cast<int>(seconds * 1000)) + " ms");
    return failed("the parser died of it: " + end.message);
  }

  Service service;
  sandbox::Policy policy;  // of a process that serves many texts
  double seconds = 0;      // for one text
  std::shared_ptr<const syntax::NodeFields> fields;
  std::optional<sandbox::Job> job;
  int served = 0;
};

SyntaxReader::SyntaxReader(const SyntaxReaderOptions& options) : impl_(std::make_unique<Impl>(options)) {}
SyntaxReader::~SyntaxReader() = default;

std::vector<ParsedSource> SyntaxReader::parse(std::span<const std::string_view> texts, bool normalise) {
  Impl& impl = *impl_;
  std::vector<ParsedSource> out;
  out.reserve(texts.size());
  std::size_t sent = 0;
  while (out.size() < texts.size()) {
    if (impl.job && impl.served >= kTextsPerProcess && sent == out.size()) {
      impl.job->finish();
      impl.job.reset();
    }
    if (!impl.job) {
      impl.begin();
      sent = out.size();
    }
    if (sent == out.size()) impl.job->send(request_of(texts[sent++], impl.seconds, normalise));
    // One text ahead, so that the parser works while its last answer is read.
    if (sent < texts.size() && sent == out.size() + 1 && texts[sent].size() < kAheadBytes &&
        impl.served < kTextsPerProcess)
      impl.job->send(request_of(texts[sent++], impl.seconds, normalise));
    std::optional<std::string> reply = impl.job->receive();
    out.push_back(reply ? parsed_from(*std::move(reply), impl.fields) : impl.blame());
    ++impl.served;
  }
  return out;
}

}  // namespace tritonrl::python
