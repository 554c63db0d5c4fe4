#include "generate/remote_generator.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "base/error.h"
#include "generate/completion_json.h"
#include "http/retry.h"

namespace tritonrl::generate {
namespace {

using base::Json;
using record::Sample;

constexpr std::size_t kLongestAnswer = std::size_t{512} << 20;
constexpr int kNonsense = 2;  // answers that are none before a server is given up

// "http://host:8000" of "http://host:8000/v1/".
std::string without_version(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  if (url.ends_with("/v1")) url.resize(url.size() - 3);
  return url;
}

http::BodyReader reader_into(std::string& text) {
  http::BodyReader out;
  out.begin = [&text](const http::ClientHead&) {
    text.clear();
    return true;
  };
  out.take = [&text](std::string_view bytes) {
    text += bytes;
    return text.size() <= kLongestAnswer;
  };
  return out;
}

// What a server says to people, fit for a line.
std::string words_of(const http::ClientAnswer& answer) {
  if (!answer.problem.empty()) return answer.problem;
  std::string said = answer.refusal.substr(0, 500);
  // OpenAI's form
  if (const std::optional<Json> json = Json::try_parse(answer.refusal)) {
    const Json* error = json->find("error");
    const Json* message = error == nullptr ? json->find("message") : error->find("message");
    if (message != nullptr && message->is_string()) said = message->text().substr(0, 500);
  }
  for (char& c : said) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return "status " + std::to_string(answer.last.status) + (said.empty() ? "" : ": " + said);
}

std::string advice(const http::ClientAnswer& answer) {
  if (answer.unreachable) return "; start the server, or mend the address";
  if (answer.last.status == 401 || answer.last.status == 403) return "; a token is needed: TRITONRL_TOKEN";
  return "";
}

Sample cancelled_sample(const GenerateRequest& request, int index) {
  Sample out;
  out.id = request.id;
  out.index = index;
  out.prompt = request.prompt;
  out.finish = record::FinishReason::kCancelled;
  return out;
}

}  // namespace

bool is_server_address(const std::string& name) {
  return name.starts_with("http://") || name.starts_with("https://");
}

// One call of generate(): threads that take requests until none is left, one failed or all is cancelled.
class RemoteGenerator::Run {
 public:
  Run(const RemoteGenerator& generator, std::span<const GenerateRequest> requests, const GenerateEvents& events,
      std::string model)
      : generator_(generator), requests_(requests), events_(events), model_(std::move(model)), done_(requests.size()) {}

  std::vector<Sample> all() {
    const std::size_t threads =
        std::min(requests_.size(), static_cast<std::size_t>(std::max(1, generator_.options_.concurrency)));
    {
      std::vector<std::jthread> workers;
      for (std::size_t i = 0; i < threads; ++i) workers.emplace_back([this] { work(); });
    }
    if (failure_) std::rethrow_exception(failure_);
    std::vector<Sample> out;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      for (int k = 0; k < requests_[i].samples; ++k) {
        const bool there = !done_[i].empty();
        out.push_back(there ? std::move(done_[i][static_cast<std::size_t>(k)]) : cancelled_sample(requests_[i], k));
        if (!there && events_.on_sample) events_.on_sample(out.back());
      }
    }
    return out;
  }

 private:
  // Asked from several threads; the caller's function by one at a time.
  bool over() {
    if (over_) return true;
    const std::lock_guard lock(mutex_);
    if (events_.cancelled && events_.cancelled()) over_ = true;
    return over_;
  }

  void work() {
    try {
      http::Client client = generator_.client();
      while (!over()) {
        const std::size_t place = next_++;
        if (place >= requests_.size()) return;
        std::vector<Sample> samples = ask(client, requests_[place]);
        if (samples.empty()) return;  // cancelled
        tell(place, std::move(samples));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      over_ = true;
    }
  }

  std::vector<Sample> ask(http::Client& client, const GenerateRequest& request) {
    const RemoteOptions& options = generator_.options_;
    http::ClientRequest asked{.url = options.url + "/v1/completions", .idle_seconds = options.idle_seconds};
    asked.body = completion_body(request, model_).dump();
    asked.cancelled = [this] { return over(); };
    http::Retry retry(options.retry_ms, options.retries, options.retries);
    for (int nonsense = 0;;) {
      std::string text;
      const http::ClientAnswer answer = client.ask(asked, reader_into(text));
      if (over()) return {};
      std::string problem = words_of(answer);
      if (answer.ok()) {
        base::Result<std::vector<Sample>> samples = samples_of(text, request, generator_.tokenizer_);
        if (samples.ok()) return std::move(samples).value();
        if (++nonsense < kNonsense) continue;
        problem = samples.error();
      } else if (retry.again(answer, asked.cancelled)) {
        continue;
      }
      if (over()) return {};
      throw base::UserError(
          "generate", options.url + " gives no answer to request " + request.id + ": " + problem + advice(answer));
    }
  }

  void tell(std::size_t place, std::vector<Sample> samples) {
    const std::lock_guard lock(mutex_);
    for (Sample& sample : samples) {
      sample.adapter_version = generator_.adapter_version;
      if (events_.on_text && !sample.text.empty()) events_.on_text(sample.id, sample.index, sample.text);
      if (events_.on_sample) events_.on_sample(sample);
    }
    done_[place] = std::move(samples);
  }

  const RemoteGenerator& generator_;
  const std::span<const GenerateRequest> requests_;
  const GenerateEvents& events_;
  const std::string model_;
  std::mutex mutex_;
  std::vector<std::vector<Sample>> done_;
  std::exception_ptr failure_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> over_ = false;
};

RemoteGenerator::RemoteGenerator(const RemoteOptions& options, text::Tokenizer tokenizer)
    : options_(options), tokenizer_(std::move(tokenizer)) {
  options_.url = without_version(options.url);
  client();  // says what is wrong with address and token
}

http::Client RemoteGenerator::client() const {
  return http::Client({.endpoint = options_.url,
                       .token = options_.token,
                       .connect_ms = options_.connect_ms,
                       .who = "generate",
                       .endpoint_source = "the server",
                       .token_source = "the server's token"});
}

const RemoteGenerator::Served& RemoteGenerator::served() {
  if (served_) return *served_;
  http::Client client = this->client();
  http::Retry retry(options_.retry_ms, options_.retries);  // who was never there is soon given up
  std::string text;
  http::ClientAnswer answer;
  do answer = client.ask({.url = options_.url + "/v1/models", .idle_seconds = 30}, reader_into(text));
  while (!answer.ok() && retry.again(answer));
  if (!answer.ok())
    throw base::UserError("generate",
                          options_.url + ": does not list its models: " + words_of(answer) + advice(answer));
  const std::optional<Json> json = Json::try_parse(text);
  const Json* list = json ? json->find("data") : nullptr;
  std::string names;
  std::optional<Served> found;
  for (const Json& one : list != nullptr && list->is_array() ? *list : Json::array()) {
    const Json *id = one.find("id"), *length = one.find("max_model_len"), *parent = one.find("parent");
    if (id == nullptr || !id->is_string()) continue;
    const bool is_adapter = parent != nullptr && parent->is_string();
    if (is_adapter && options_.model.empty()) continue;
    names += (names.empty() ? "" : ", ") + id->text();
    if (found && options_.model.empty())
      throw base::UserError("generate", options_.url + " serves several models; name one of " + names);
    if (!options_.model.empty() && id->text() != options_.model) continue;
    found = Served{id->text(), length != nullptr && length->is_number_integer()
                                   ? std::optional<std::int64_t>(length->integer())
                                   : std::nullopt};
  }
  if (!found)
    throw base::UserError("generate", options_.url + " does not serve " +
                                          (options_.model.empty() ? "any model" : options_.model + ", but " + names));
  served_ = std::move(found);
  return *served_;
}

std::optional<std::int64_t> RemoteGenerator::context() {
  return served().context;
}

std::vector<Sample> RemoteGenerator::generate(std::span<const GenerateRequest> requests, const GenerateEvents& events) {
  RequestLimits limits{.vocabulary = tokenizer_.size()};
  for (const GenerateRequest& request : requests) check(request, limits);
  limits.context = served().context.value_or(limits.context);
  for (const GenerateRequest& request : requests) check(request, limits);
  return Run(*this, requests, events, adapter_.empty() ? served().model : adapter_).all();
}

http::ClientAnswer RemoteGenerator::post(const std::string& path, const Json& body, std::string& text) const {
  http::Client client = this->client();
  http::Retry retry(options_.retry_ms, options_.retries, options_.retries);
  http::ClientAnswer answer;
  do answer = client.ask({.url = options_.url + path, .idle_seconds = 300, .body = body.dump()}, reader_into(text));
  while (!answer.ok() && retry.again(answer));
  return answer;
}

void RemoteGenerator::load_adapter(const std::string& name, const std::string& folder) {
  std::string text;
  Json what = Json::object();
  what["lora_name"] = name;
  post("/v1/unload_lora_adapter", what, text);  // refused where there is none of that name: just as well
  what["lora_path"] = folder;
  const http::ClientAnswer answer = post("/v1/load_lora_adapter", what, text);
  if (!answer.ok())
    throw base::UserError("generate", options_.url + " does not load the adapter " + folder + ": " + words_of(answer) +
                                          advice(answer) +
                                          "; vLLM must be started with --enable-lora and "
                                          "VLLM_ALLOW_RUNTIME_LORA_UPDATING=True, and see that folder");
  adapter_ = name;
}

void RemoteGenerator::unload_adapter(const std::string& name) {
  std::string text;
  Json what = Json::object();
  what["lora_name"] = name;
  const http::ClientAnswer answer = post("/v1/unload_lora_adapter", what, text);
  if (!answer.ok())
    throw base::UserError(
        "generate", options_.url + " does not unload the adapter " + name + ": " + words_of(answer) + advice(answer));
  if (adapter_ == name) adapter_.clear();
}

}  // namespace tritonrl::generate
