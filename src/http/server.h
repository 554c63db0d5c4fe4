#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"
#include "http/request_parser.h"

namespace tritonrl::http {

using std::chrono::milliseconds;

struct ServerOptions {
  std::string host = "127.0.0.1";  // a numeric address or a name; "0.0.0.0" and "::" are all of this machine's
  int port = 0;                    // 0: any that is free
  ParserLimits limits;
  int connections = 1024;                     // at once; who comes beyond hears 503
  std::size_t held = std::size_t{256} << 20;  // bytes of requests, of all connections together; beyond it 503
  int threads = 4;                            // that call the handler
  milliseconds head_time{10'000};             // for the head of a request, from its first byte
  milliseconds idle_time{60'000};             // between requests
  milliseconds stall_time{30'000};            // in which a body, or the reader of an answer, stands still
  milliseconds body_time{300'000};            // for a whole body
  milliseconds linger_time{2'000};            // in which a client that was refused may still send
};

// The way back of one request. Copies are the same one; thread-safe. A request is answered once; where all copies go
// away without that, it hears 500.
class Reply {
 public:
  struct State;
  explicit Reply(std::shared_ptr<State> state) : state_(std::move(state)) {}

  void send(Answer answer) const;

  // In parts: the head of `answer` (its body is the first part), then parts as they come, then the end.
  void begin(Answer answer) const;
  // False where nobody reads any more.
  bool write(std::string_view part) const;
  void end() const;

  // The client went away: whatever is sent is dropped.
  bool gone() const;

 private:
  std::shared_ptr<State> state_;
};

class Handler {
 public:
  virtual ~Handler() = default;
  // Looks at line and headers before the body is read: an answer refuses the request. On the server's own thread.
  virtual std::optional<Answer> refuse(const Request& head) = 0;
  // A whole request, on one of the server's threads, several at once. Must not wait for long: `reply` may be kept and
  // used later, on any thread.
  virtual void handle(Request request, Reply reply) = 0;
  // An answer that the server itself gives, for what it could not read or has no room for.
  virtual Answer failure(int status, const std::string& problem) = 0;
};

// A web server for programs: HTTP/1.0 and 1.1 over TCP, without TLS. One thread moves the bytes of all connections, so
// that a slow or idle client costs a few kilobytes and no thread; all that a client may send is bounded in bytes and in
// time.
class Server {
 public:
  // Listens at once. UserError if it cannot: an address that is not here, a port that is taken.
  // `handler` must outlive this.
  Server(const ServerOptions& options, Handler& handler);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;

  // Serves until stop(); then requests that were read are still answered, for at most `grace`.
  void run(milliseconds grace = milliseconds(150'000));
  // From any thread.
  void stop();

  int connections() const;  // open ones; from any thread

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace tritonrl::http
