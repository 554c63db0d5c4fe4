#include "http/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"
#include "tests/http/raw_client.h"

namespace tritonrl::http {
namespace {

using namespace std::chrono_literals;

// Answers by what the path says, and keeps the replies that tests give themselves.
class PlayedHandler : public Handler {
 public:
  std::optional<Answer> refuse(const Request& head) override {
    if (head.path == "/refused") return Answer{.status = 401, .body = "no"};
    return std::nullopt;
  }
  void handle(Request request, Reply reply) override {
    ++handled;
    if (request.path == "/echo") return reply.send({.body = request.body, .type = "text/plain"});
    if (request.path == "/large") return reply.send({.body = std::string(8 << 20, 'x'), .type = "text/plain"});
    if (request.path == "/throw") throw std::runtime_error("thrown");
    if (request.path == "/lost") return;
    if (request.path == "/parts") {
      reply.begin({.body = "one ", .type = "text/plain"});
      reply.write("two ");
      reply.write("three");
      return reply.end();
    }
    if (request.path == "/broken") {
      reply.begin({.body = "one ", .type = "text/plain"});
      return;
    }
    const std::lock_guard lock(mutex);
    kept.push_back(reply);
  }
  Answer failure(int status, const std::string& problem) override { return {.status = status, .body = problem}; }

  Reply taken() {
    for (;;) {
      {
        const std::lock_guard lock(mutex);
        if (!kept.empty()) {
          Reply out = kept.back();
          kept.pop_back();
          return out;
        }
      }
      std::this_thread::sleep_for(1ms);
    }
  }

  std::atomic<int> handled = 0;
  std::mutex mutex;
  std::vector<Reply> kept;
};

class RunningServer : public ::testing::Test {
 protected:
  ~RunningServer() override { end(); }

  int start(const ServerOptions& options = {}) {
    server.emplace(options, handler);
    thread = std::thread([this] { server->run(grace); });
    return server->port();
  }
  void end() {
    if (!thread.joinable()) return;
    server->stop();
    thread.join();
  }

  PlayedHandler handler;
  std::optional<Server> server;
  std::thread thread;
  milliseconds grace{5000};
};

TEST_F(RunningServer, AnswersOneRequestAfterTheOtherOverOneConnection) {
  RawClient client(start());
  for (const std::string body : {"a", "", "ccc"}) {
    client.send(post("/echo", body));
    const Received got = client.receive();
    EXPECT_EQ(got.status, 200);
    EXPECT_EQ(got.body, body);
  }
  client.send(get("/echo", "Connection: close\r\n"));
  EXPECT_EQ(client.receive().header("connection"), "close");
  EXPECT_EQ(client.rest(), "");
}

TEST_F(RunningServer, AnswersRequestsThatCameTogetherInTheirOrder) {
  RawClient client(start());
  std::string all;
  for (int i = 0; i < 20; ++i) all += post("/echo", std::to_string(i));
  client.send(all);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client.receive().body, std::to_string(i));
}

TEST_F(RunningServer, HeadHasNoBody) {
  RawClient client(start());
  client.send("HEAD /large HTTP/1.1\r\nHost: a\r\n\r\n" + post("/echo", "next"));
  const Received head = client.receive(/*no_body=*/true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), std::to_string(8 << 20));
  EXPECT_EQ(client.receive().body, "next");
}

TEST_F(RunningServer, LargeAnswersAndBodiesPass) {
  const int port = start();
  EXPECT_EQ(ask(port, get("/large")).body.size(), std::size_t{8} << 20);
  const std::string body(5 << 20, 'y');
  EXPECT_EQ(ask(port, post("/echo", body)).body, body);
}

TEST_F(RunningServer, APartAtATime) {
  RawClient client(start());
  client.send(get("/parts"));
  const Received got = client.receive();
  EXPECT_EQ(got.header("transfer-encoding"), "chunked");
  EXPECT_EQ(got.body, "one two three");
  client.send("GET /parts HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.receive().body, "one two three");
}

TEST_F(RunningServer, WhatFailsIsFiveHundredAndNeverLooksWhole) {
  const int port = start();
  const Received thrown = ask(port, get("/throw"));
  EXPECT_EQ(thrown.status, 500);
  EXPECT_EQ(thrown.body, "thrown");
  EXPECT_EQ(ask(port, get("/lost")).status, 500);
  RawClient client(port);
  client.send(get("/broken"));
  const std::string bytes = client.rest();
  EXPECT_NE(bytes.find("one "), std::string::npos);
  EXPECT_EQ(bytes.find("0\r\n\r\n"), std::string::npos);
}

TEST_F(RunningServer, ARefusalComesBeforeTheBody) {
  const int port = start();
  RawClient client(port);
  client.send("POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n");
  const Received got = client.receive();
  EXPECT_EQ(got.status, 401);
  EXPECT_EQ(got.header("connection"), "close");
  // with a short body the connection goes on
  RawClient other(port);
  other.send(post("/refused", "short") + post("/echo", "next"));
  EXPECT_EQ(other.receive().status, 401);
  EXPECT_EQ(other.receive().body, "next");
  EXPECT_EQ(handler.handled, 1);
}

TEST_F(RunningServer, AClientThatStillSendsHearsWhyItIsRefused) {
  ServerOptions options;
  options.limits.body = 1000;
  RawClient client(start(options));
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n");
  for (int i = 0; i < 30; ++i) client.send(std::string(100'000, 'x'));
  EXPECT_EQ(client.receive().status, 413);
}

TEST_F(RunningServer, SaysThatItWaitsForTheBody) {
  RawClient client(start());
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.receive().status, 100);
  client.send("ab");
  EXPECT_EQ(client.receive().body, "ab");
}

TEST_F(RunningServer, SlowAndSilentClientsAreLetGo) {
  ServerOptions options;
  options.head_time = 100ms;
  options.idle_time = 200ms;
  options.stall_time = 100ms;
  const int port = start(options);
  RawClient head(port), body(port), idle(port), silent(port);
  head.send("GET /echo HTT");
  body.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
  idle.send(get("/echo"));
  EXPECT_EQ(idle.receive().status, 200);
  EXPECT_EQ(head.receive().status, 408);
  EXPECT_EQ(body.receive().status, 408);
  EXPECT_EQ(idle.rest(), "");
  EXPECT_EQ(silent.rest(), "");
}

// One byte now and then does not buy more time for the head.
TEST_F(RunningServer, ADrippingHeadEnds) {
  ServerOptions options;
  options.head_time = 150ms;
  RawClient client(start(options));
  bool sent = true;
  client.send("GET /echo HTTP/1.1\r\n");
  for (int i = 0; i < 100 && sent; ++i) {
    sent = client.send("A: b\r\n");
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_EQ(client.receive().status, 408);
}

TEST_F(RunningServer, AReplyKnowsThatNobodyWaits) {
  RawClient client(start());
  client.send(get("/kept"));
  const Reply reply = handler.taken();
  EXPECT_FALSE(reply.gone());
  client.close();
  for (int i = 0; i < 1000 && !reply.gone(); ++i) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(reply.gone());
  reply.send({.body = "late"});
}

TEST_F(RunningServer, OnlyTheFirstAnswerCounts) {
  RawClient client(start());
  client.send(get("/kept"));
  const Reply reply = handler.taken();
  reply.send({.body = "first", .type = "text/plain"});
  reply.send({.body = "second", .type = "text/plain"});
  EXPECT_EQ(client.receive().body, "first");
  client.send(post("/echo", "next"));
  EXPECT_EQ(client.receive().body, "next");
}

TEST_F(RunningServer, TooManyConnectionsAndTooManyBytesHearIt) {
  ServerOptions options;
  options.connections = 2;
  options.held = 100'000;
  const int port = start(options);
  RawClient first(port);
  first.send(post("/kept", std::string(90'000, 'x')));
  const Reply reply = handler.taken();
  RawClient second(port);
  second.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n" + std::string(40'000, 'x'));
  const Received full = second.receive();
  EXPECT_EQ(full.status, 503);
  EXPECT_NE(full.header("retry-after"), "");
  RawClient third(port);
  EXPECT_EQ(third.receive().status, 503);
  reply.send({.body = "done", .type = "text/plain"});
  EXPECT_EQ(first.receive().body, "done");
  first.send(post("/echo", std::string(90'000, 'y')));  // there is room again
  EXPECT_EQ(first.receive().status, 200);
}

TEST_F(RunningServer, AStopAnswersWhatWasAsked) {
  const int port = start();
  RawClient asking(port), idle(port);
  asking.send(get("/kept"));
  const Reply reply = handler.taken();
  server->stop();
  EXPECT_EQ(idle.rest(), "");
  EXPECT_THROW(RawClient{port}, std::runtime_error);
  reply.send({.body = "done", .type = "text/plain"});
  EXPECT_EQ(asking.receive().body, "done");
  asking.close();
  thread.join();
}

TEST_F(RunningServer, AStopDoesNotWaitForEver) {
  grace = 100ms;
  RawClient client(start());
  client.send(get("/kept"));
  const Reply reply = handler.taken();
  server->stop();
  thread.join();
  reply.send({.body = "too late"});
}

TEST_F(RunningServer, APortThatIsTakenIsSaid) {
  ServerOptions options;
  options.port = start();
  try {
    Server another(options, handler);
    FAIL() << "two servers at one port";
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("--port"), std::string::npos) << error.what();
  }
  options.host = "no such host";
  EXPECT_THROW(Server(options, handler), base::UserError);
}

TEST_F(RunningServer, HundredsOfClientsAtOnce) {
  const int port = start();
  std::atomic<int> right = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 200; ++i) {
    clients.emplace_back([&, i] {
      const std::string body = "client " + std::to_string(i);
      RawClient client(port);
      for (int turn = 0; turn < 5; ++turn) {
        client.send(post("/echo", body));
        right += client.receive().body == body ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, 1000);
}

}  // namespace
}  // namespace tritonrl::http
