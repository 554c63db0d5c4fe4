#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "generate/remote_generator.h"
#include "http/server.h"

namespace tritonrl::generate {

inline RemoteOptions options_for(int port) {
  RemoteOptions out;
  out.url = "http://127.0.0.1:" + std::to_string(port);
  out.retry_ms = 5;
  return out;
}

// A server that answers as a test says.
class PlayedServer : public ::testing::Test, public http::Handler {
 protected:
  ~PlayedServer() override {
    if (!thread.joinable()) return;
    over = true;
    server->stop();
    thread.join();
  }
  RemoteOptions start() {
    server.emplace(http::ServerOptions{.port = 0}, *this);
    thread = std::thread([this] { server->run(std::chrono::seconds(10)); });
    return options_for(server->port());
  }

  std::optional<http::Answer> refuse(const http::Request&) override { return std::nullopt; }
  http::Answer failure(int status, const std::string& problem) override { return {.status = status, .body = problem}; }
  void handle(http::Request asked, http::Reply reply) override {
    if (asked.path == "/v1/models")
      return reply.send({.body = R"({"data":[{"id":"base"},{"id":"tuned","parent":"base"},3]})"});
    const base::Json body = base::Json::parse(asked.body);
    int count = 0;
    {
      const std::lock_guard lock(mutex);
      bodies.push_back(body);
      paths.push_back(asked.path);
      count = ++counts[body.value("prompt", base::Json()).dump()];
    }
    reply.send(play(asked.path, body, count));
  }

  static http::Answer choices(const base::Json& body, const std::string& more) {
    std::string out;
    for (int i = static_cast<int>(body.at("n").integer()) - 1; i >= 0; --i)  // the order is the server's
      out += (out.empty() ? "" : ",") +
             (R"({"index":)" + std::to_string(i) + R"(,"text":"ab )" + std::to_string(i) + "\"" + more + "}");
    return {.body = R"({"choices":[)" + out + "]}"};
  }

  std::function<http::Answer(const std::string& path, const base::Json& body, int count)> play;
  std::mutex mutex;
  std::vector<base::Json> bodies;
  std::vector<std::string> paths;
  std::map<std::string, int> counts;
  std::atomic<bool> over = false;
  std::optional<http::Server> server;
  std::thread thread;
};

}  // namespace tritonrl::generate
