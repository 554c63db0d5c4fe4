#include "http/client.h"

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "base/check.h"
#include "base/error.h"

namespace tritonrl::http {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostRedirects = 10;
constexpr std::size_t kMostHeaders = 1000;
constexpr std::size_t kLongestRefusal = 4096;

void start_curl() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw base::InfrastructureError("http", "libcurl cannot start");
}

Url endpoint_of(const ClientOptions& options) {
  std::optional<Url> url = Url::parse(options.endpoint);
  if (!url) {
    throw base::UserError(
        options.who, options.endpoint_source + "=" + options.endpoint + " is no address; it looks like https://host");
  }
  const bool printable =
      std::all_of(options.token.begin(), options.token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (!printable) throw base::UserError(options.who, options.token_source + " has characters no token has");
  return std::move(*url);
}

bool is_redirect(long status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

struct HeaderList {
  ~HeaderList() { curl_slist_free_all(list); }
  void add(const std::string& line) {
    curl_slist* longer = curl_slist_append(list, line.c_str());
    TRL_CHECK(longer != nullptr, "no memory for a header");
    list = longer;
  }
  curl_slist* list = nullptr;
};

std::string_view trimmed(std::string_view text) {
  constexpr const char* kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

}  // namespace

std::string ClientHead::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

bool ClientAnswer::passing() const {
  if (stopped || lasting) return false;
  if (!problem.empty()) return true;
  return last.status == 408 || last.status == 429 || last.status >= 500;
}

// What libcurl's callbacks work on during one request. Exceptions must not pass through C.
struct Client::Exchange {
  const BodyReader& reader;
  const std::function<bool()>& cancelled;
  ClientHead head = {};
  std::int64_t idle_seconds;
  Clock::time_point moved = Clock::now();
  curl_off_t received = 0;
  bool begun = false, stopped = false, idle = false;
  std::string refusal = {};
  std::exception_ptr thrown = nullptr;

  bool has_body() const { return head.status >= 200 && head.status < 300; }

  template <typename Action>
  bool guarded(const Action& action) {
    try {
      if (action()) return true;
      stopped = true;
    } catch (...) {
      thrown = std::current_exception();
    }
    return false;
  }

  bool begin() {
    if (begun || !reader.begin) return true;
    begun = true;
    return reader.begin(head);
  }

  static std::size_t on_header(char* bytes, std::size_t, std::size_t size, void* self_pointer) {
    auto& self = *static_cast<Exchange*>(self_pointer);
    const std::string_view line(bytes, size);
    if (line.starts_with("HTTP/")) {  // also after an interim answer
      self.head = {};
      const std::size_t blank = line.find(' ');
      if (blank != std::string_view::npos) self.head.status = std::atol(std::string(line.substr(blank)).c_str());
      return size;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || self.head.headers.size() >= kMostHeaders) return size;
    std::string name(trimmed(line.substr(0, colon)));
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    self.head.headers[name] = trimmed(line.substr(colon + 1));
    return size;
  }

  // libcurl calls it about once a second, and after each piece. Its own limit of speed is an average that takes long to
  // notice a stop.
  static int on_time(void* self_pointer, curl_off_t, curl_off_t received, curl_off_t, curl_off_t) {
    auto& self = *static_cast<Exchange*>(self_pointer);
    const Clock::time_point now = Clock::now();
    if (received != self.received) self.moved = now;
    self.received = received;
    self.idle = now - self.moved > std::chrono::seconds(self.idle_seconds);
    if (self.cancelled && self.cancelled()) self.stopped = true;
    return self.idle || self.stopped ? 1 : 0;
  }

  static std::size_t on_body(char* bytes, std::size_t, std::size_t size, void* self_pointer) {
    auto& self = *static_cast<Exchange*>(self_pointer);
    if (self.head.status >= 400) self.refusal.append(bytes, std::min(size, kLongestRefusal - self.refusal.size()));
    if (!self.has_body()) return size;
    const bool more = self.guarded([&] {
      return self.begin() && (!self.reader.take || self.reader.take({bytes, size}));
    });
    return more ? size : 0;
  }
};

Client::Client(const ClientOptions& options)
    : options_(options), endpoint_(endpoint_of(options)), handle_((start_curl(), curl_easy_init())) {
  TRL_CHECK(handle_ != nullptr, "libcurl makes no handle");
}

Client::~Client() {
  curl_easy_cleanup(handle_);
}

ClientAnswer Client::ask(const ClientRequest& request, const BodyReader& reader) {
  ClientAnswer answer;
  std::optional<Url> url = Url::parse(request.url);
  TRL_CHECK(url.has_value(), "an address of ours is none: " + request.url);
  for (int hop = 0;; ++hop) {
    answer.where = url->shown();
    exchange(*url, request, reader, answer);
    // A repository that was renamed answers first with its new place alone.
    if (url->same_origin(endpoint_) && answer.first.header("x-repo-commit").empty()) answer.first = answer.last;
    if (!answer.problem.empty() || !is_redirect(answer.last.status) || request.body) return answer;
    std::optional<Url> next = url->redirected(answer.last.header("location"));
    if (!next || hop == kMostRedirects) {
      answer.problem = !next ? "it redirects to an address that is not followed" : "it redirects without end";
      answer.lasting = true;
      return answer;
    }
    if (request.head_only && !next->same_origin(*url)) return answer;
    url = std::move(next);
  }
}

void Client::exchange(const Url& url, const ClientRequest& request, const BodyReader& reader, ClientAnswer& answer) {
  Exchange state{.reader = reader, .cancelled = request.cancelled, .idle_seconds = request.idle_seconds};
  HeaderList headers;
  headers.add("Accept-Encoding: identity");  // hashes and ranges are those of the file itself
  if (!options_.token.empty() && url.same_origin(endpoint_)) headers.add("Authorization: Bearer " + options_.token);
  if (request.from > 0) headers.add("Range: bytes=" + std::to_string(request.from) + "-");
  if (request.body) headers.add("Content-Type: application/json");
  if (request.body) headers.add("Expect:");  // the body is short: no word is waited for before it
  char message[CURL_ERROR_SIZE] = "";
  const std::string address = url.text();
  curl_easy_reset(handle_);
  curl_easy_setopt(handle_, CURLOPT_URL, address.c_str());
  curl_easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle_, CURLOPT_NOBODY, request.head_only ? 1L : 0L);
  if (request.body) {
    curl_easy_setopt(handle_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body->size()));
    curl_easy_setopt(handle_, CURLOPT_POSTFIELDS, request.body->data());
  }
  curl_easy_setopt(handle_, CURLOPT_USERAGENT, "tritonrl");
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, headers.list);
  curl_easy_setopt(handle_, CURLOPT_ERRORBUFFER, message);
  curl_easy_setopt(handle_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_ms));
  curl_easy_setopt(handle_, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle_, CURLOPT_XFERINFOFUNCTION, Exchange::on_time);
  curl_easy_setopt(handle_, CURLOPT_XFERINFODATA, &state);
  curl_easy_setopt(handle_, CURLOPT_HEADERFUNCTION, Exchange::on_header);
  curl_easy_setopt(handle_, CURLOPT_HEADERDATA, &state);
  curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, Exchange::on_body);
  curl_easy_setopt(handle_, CURLOPT_WRITEDATA, &state);
  const CURLcode code = curl_easy_perform(handle_);
  if (!state.thrown && !state.stopped && code == CURLE_OK && state.has_body() && !request.head_only) {
    state.guarded([&] { return state.begin(); });
  }
  curl_easy_setopt(handle_, CURLOPT_ERRORBUFFER, nullptr);
  if (state.thrown) std::rethrow_exception(state.thrown);
  answer.last = std::move(state.head);
  answer.stopped = state.stopped;
  answer.refusal = std::move(state.refusal);
  answer.unreachable = code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY ||
                       code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT;
  answer.lasting = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
  if (code != CURLE_OK) answer.problem = *message != '\0' ? message : curl_easy_strerror(code);
  if (state.idle) answer.problem = "nothing came for " + std::to_string(request.idle_seconds) + " s";
  if (state.stopped) answer.problem = "the transfer was stopped";
  curl_off_t seconds = 0;
  if (curl_easy_getinfo(handle_, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0) {
    answer.retry_after_seconds = seconds;
  }
}

}  // namespace tritonrl::http
