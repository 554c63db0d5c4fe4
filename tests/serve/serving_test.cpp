#include "serve/serving.h"

#include <gtest/gtest.h>

#include <fstream>
#include <latch>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "judge/scripted_judge.h"
#include "tests/http/raw_client.h"

namespace tritonrl::serve {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using base::Json;
using http::ask;
using http::get;
using http::post;
using http::RawClient;
using http::Received;

std::string candidate(const std::string& code, const std::string& more = "") {
  return R"({"id":"one","task":"class Model: pass\n","code":)" + Json(code).dump() + more + "}";
}

// A service whose judge does what the candidate's code says: "sleep 20", "wrong", "ours", "bad_task", "throw", "wait".
class ScriptedService : public ::testing::Test {
 protected:
  ScriptedService() {
    options.port = 0;
    options.workers = 4;
  }
  ~ScriptedService() override { end(); }

  int start() {
    ServedParts parts;
    parts.judge = [this](const judge::JudgeOptions& chosen) -> std::shared_ptr<judge::Judge> {
      ++judges_made;
      return std::make_shared<judge::ScriptedJudge>(
          [this, policy = chosen.policy](const judge::Submission& one) { return play(one, policy); });
    };
    serving.emplace(options, token, parts);
    thread = std::thread([this] { serving->run(10s); });
    return serving->port();
  }
  void end() {
    go_on.store(true);
    go_on.notify_all();
    if (!thread.joinable()) return;
    serving->stop();
    thread.join();
  }

  record::Verdict play(const judge::Submission& submission, const std::string& policy) {
    ++begun;
    record::Verdict out;
    out.kind = record::VerdictKind::kPassed;
    out.reward = 1;
    out.policy = policy;
    out.message = submission.task.source;
    std::istringstream words(submission.code);
    for (std::string word; words >> word;) {
      if (word == "sleep") {
        int ms = 0;
        words >> ms;
        std::this_thread::sleep_for(std::chrono::milliseconds(ms));
      }
      if (word == "wait") go_on.wait(false);
      if (word == "wrong") out.kind = record::VerdictKind::kWrong;
      if (word == "ours") out.kind = record::VerdictKind::kInfrastructure;
      if (word == "bad_task") throw base::UserError("task", "defines no Model");
      if (word == "throw") throw std::runtime_error("thrown");
    }
    if (out.kind == record::VerdictKind::kInfrastructure) out.reward.reset();
    return out;
  }
  void wait_for_begun(int count) const {
    while (begun < count) std::this_thread::sleep_for(1ms);
  }
  // Until this gauge has this value.
  static void wait_for(int port, const std::string& gauge, std::size_t value) {
    const std::string wanted = "tritonrl_" + gauge + " " + std::to_string(value) + "\n";
    while (ask(port, get("/metrics")).body.find(wanted) == std::string::npos) std::this_thread::sleep_for(1ms);
  }

  ServeOptions options;
  std::string token;
  std::atomic<int> judges_made = 0, begun = 0;
  std::atomic<bool> go_on = false;
  std::optional<Serving> serving;
  std::thread thread;
};

Json json_of(const Received& received) {
  return Json::parse(received.body);
}

TEST_F(ScriptedService, AVerdictIsTheSameLineAsOfABatch) {
  const Received got = ask(start(), post("/v1/verify", candidate("wrong")));
  EXPECT_EQ(got.status, 200);
  EXPECT_EQ(got.header("content-type"), "application/json");
  const Json json = json_of(got);
  EXPECT_EQ(json.at("id").text(), "one");
  EXPECT_EQ(json.at("verdict").at("kind").text(), "wrong");
  EXPECT_TRUE(record::verdict_from_json(json.at("verdict").dump()).ok());
}

TEST_F(ScriptedService, AnAnswersCodeIsExtracted) {
  const std::string body = R"({"id":7,"task":"a\n","answer":"Here:\n```python\nclass ModelNew:\n    pass\n```\n"})";
  const Received got = ask(start(), post("/v1/verify", body));
  EXPECT_EQ(got.status, 200);
  EXPECT_EQ(json_of(got).at("id").integer(), 7);
}

struct BadRequest {
  std::string body;
  int status;
  const char* field;  // empty: null
  const char* message;
};

TEST_F(ScriptedService, WhatCannotBeReadIsNamed) {
  const int port = start();
  const BadRequest cases[] = {
      {"", 400, "", "JSON"},
      {"{", 400, "", "JSON"},
      {"[]", 400, "", "object"},
      {"{}", 400, "task", "missing"},
      {R"({"task":3,"code":"x"})", 400, "task", "string"},
      {R"({"task":" \n","code":"x"})", 400, "task", "empty"},
      {R"({"task":"a\n"})", 400, "answer", "missing"},
      {R"({"task":"a\n","code":1})", 400, "code", "string"},
      {R"({"task":"a\n","code":"x","answer":"y"})", 400, "code", "beside"},
      {R"({"task":"a\n","code":"x","id":[]})", 400, "id", "neither"},
      {R"({"task":"a\n","code":"x","id":")" + std::string(2000, 'i') + "\"}", 400, "id", "longer"},
      {R"({"task":"a\n","code":"x","entry_point":1})", 400, "entry_point", "string"},
      {R"({"task":"a\n","code":"x","options":1})", 400, "options", "object"},
      {R"({"task":"a\n","code":"x","options":{"without":["work"]}})", 400, "options.without", "may choose"},
      {R"({"task":"a\n","code":"x","options":{"policy":"lax"}})", 400, "options.policy", "choose one of"},
      {R"({"task":"a\n","code":"x","options":{"min_work_share":2}})", 400, "options.min_work_share", "at most"},
      {R"({"task":"a\n","code":"x","options":{"min_work_share":null}})", 400, "options.min_work_share", "null"},
      {R"({"task":"a\n","code":"\ud800"})", 400, "code", "surrogate"},
      {"{\"task\":\"a\\n\",\"code\":\"\xff\"}", 400, "", "UTF-8"},
      {R"({"task":"etc/passwd","code":"x"})", 400, "task", "send its source"},
      {std::string(2000, '['), 400, "", "JSON"},
      {R"({"task":"a\n","code":"bad_task"})", 422, "task", "no Model"},
  };
  for (const char* path : {"/v1/verify", "/v1/jobs"}) {
    for (const BadRequest& one : cases) {
      if (one.status == 422 && std::string(path) == "/v1/jobs") continue;  // only its result can know
      SCOPED_TRACE(path + (" " + one.body.substr(0, 60)));
      const Received got = ask(port, post(path, one.body));
      EXPECT_EQ(got.status, one.status);
      const Json error = json_of(got).at("error");
      EXPECT_EQ(error.at("field").is_null() ? "" : error.at("field").text(), one.field) << got.body;
      EXPECT_NE(error.at("message").text().find(one.message), std::string::npos) << got.body;
    }
  }
  EXPECT_EQ(begun, 1);  // the task that only a judge can refuse
}

TEST_F(ScriptedService, WhatIsNotThereAndWhatIsAskedWrongly) {
  const int port = start();
  const auto status = [&](const std::string& request) { return ask(port, request).status; };
  EXPECT_EQ(status(get("/nothing")), 404);
  EXPECT_EQ(status(get("/v1/jobs/")), 404);
  EXPECT_EQ(status(get("/v1/jobs/unknown")), 404);
  EXPECT_EQ(status(get("/v1/jobs/a/b")), 404);
  EXPECT_EQ(status(post("/v1/verify", candidate("x"), "", "text/plain")), 415);
  EXPECT_EQ(status(post("/v1/verify", candidate("x"), "Content-Encoding: gzip\r\n")), 415);
  EXPECT_EQ(status(post("/v1/verify", candidate("x"), "", "Application/JSON; charset=utf-8")), 200);
  for (const std::string method : {"GET", "PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"}) {
    const Received got = ask(port, method + " /v1/verify HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(got.status, 405) << method;
    EXPECT_EQ(got.header("allow"), "POST");
  }
  EXPECT_EQ(ask(port, post("/metrics", "{}")).header("allow"), "GET, HEAD");
  RawClient client(port);
  client.send("HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.receive(/*no_body=*/true).status, 200);
}

TEST_F(ScriptedService, ATokenIsAskedForEverywhereButForHealth) {
  token = "secret-word";
  const int port = start();
  for (const std::string header : {"", "Authorization: Bearer secret\r\n", "Authorization: Bearer secret-word2\r\n",
                                   "Authorization: Basic secret-word\r\n", "Authorization: Bearer\r\n"}) {
    for (const char* path : {"/metrics", "/openapi.json", "/nothing", "/v1/jobs/a"}) {
      const Received got = ask(port, get(path, header));
      EXPECT_EQ(got.status, 401) << path << header;
      EXPECT_EQ(got.header("www-authenticate"), "Bearer");
    }
    EXPECT_EQ(ask(port, post("/v1/verify", candidate("x"), header)).status, 401);
  }
  EXPECT_EQ(ask(port, get("/healthz")).status, 200);
  EXPECT_EQ(ask(port, get("/metrics", "Authorization: Bearer secret-word\r\n")).status, 200);
  EXPECT_EQ(ask(port, post("/v1/verify", candidate("x"), "authorization: bearer secret-word\r\n")).status, 200);
  EXPECT_EQ(begun, 1);
}

TEST_F(ScriptedService, BeyondThisMachineATokenIsNeeded) {
  options.host = "0.0.0.0";
  EXPECT_THROW(start(), base::UserError);
  options.open = true;
  EXPECT_EQ(ask(start(), get("/healthz")).status, 200);
}

TEST_F(ScriptedService, ABatchKeepsItsOrderAndItsErrorsTheirPlace) {
  const int port = start();
  std::string list = "[", lines;
  for (int i = 0; i < 40; ++i) {
    const std::string code = i == 5 ? "bad_task" : "sleep " + std::to_string(i * 7 % 13);
    std::string one = R"({"id":)" + std::to_string(i) + R"(,"task":"a\n","code":)" + Json(code).dump() + "}";
    if (i == 9) one = R"({"id":9,"task":"a\n"})";
    list += (i > 0 ? "," : "") + one;
    lines += one + "\n\n";
  }
  const Received json = ask(port, post("/v1/verify/batch", list + "]"));
  const Received stream = ask(port, post("/v1/verify/batch", lines, "", "Application/X-NDJSON; charset=utf-8"));
  EXPECT_EQ(json.status, 200);
  EXPECT_EQ(stream.header("content-type"), "application/x-ndjson");
  const Json results = json_of(json);
  ASSERT_EQ(results.size(), 40U);
  std::istringstream each(stream.body);
  for (int i = 0; i < 40; ++i) {
    std::string line;
    ASSERT_TRUE(std::getline(each, line));
    for (const Json& one : {results.at(static_cast<std::size_t>(i)), Json::parse(line)}) {
      EXPECT_EQ(one.at("id").integer(), i);
      EXPECT_EQ(one.contains("verdict"), i != 5 && i != 9);
    }
  }
  EXPECT_EQ(results.at(5).at("error").at("field").text(), "task");
  EXPECT_EQ(results.at(9).at("error").at("field").text(), "answer");
  EXPECT_EQ(results.at(9).at("error").at("line").integer(), 10);
  EXPECT_EQ(ask(port, post("/v1/verify/batch", "[]")).status, 400);
  EXPECT_EQ(ask(port, post("/v1/verify/batch", "{}")).status, 400);
  EXPECT_EQ(ask(port, post("/v1/verify/batch", "[1]")).status, 200);
  EXPECT_EQ(ask(port, post("/v1/verify/batch", " \n", "", "application/x-ndjson")).status, 400);
}

TEST_F(ScriptedService, AJobIsTakenAndFetched) {
  const int port = start();
  const Received taken = ask(port, post("/v1/jobs", candidate("wait wrong")));
  EXPECT_EQ(taken.status, 202);
  const std::string place = taken.header("location");
  EXPECT_EQ(place, "/v1/jobs/" + json_of(taken).at("job").text());
  EXPECT_EQ(json_of(ask(port, get(place))).at("status").text(), "waiting");
  go_on.store(true);
  go_on.notify_all();
  Json job;
  do job = json_of(ask(port, get(place)));
  while (job.at("status").text() == "waiting");
  EXPECT_EQ(job.at("result").at("id").text(), "one");
  EXPECT_EQ(job.at("result").at("verdict").at("kind").text(), "wrong");
  const Received bad = ask(port, post("/v1/jobs", candidate("bad_task")));
  do job = json_of(ask(port, get(bad.header("location"))));
  while (job.at("status").text() == "waiting");
  EXPECT_EQ(job.at("result").at("error").at("field").text(), "task");
}

TEST_F(ScriptedService, WhoComesToAFullQueueHearsWhenToComeAgain) {
  options.workers = 1;
  options.queue = 2;
  options.jobs = 2;
  const int port = start();
  RawClient clients[] = {RawClient(port), RawClient(port), RawClient(port)};
  clients[0].send(post("/v1/verify", candidate("wait")));
  wait_for_begun(1);
  for (const int later : {1, 2}) clients[later].send(post("/v1/verify", candidate("wait")));
  wait_for(port, "candidates_waiting", 2);
  const Received full = ask(port, post("/v1/verify/batch", "[" + candidate("wait") + "]"));
  EXPECT_EQ(full.status, 429);
  EXPECT_GE(std::stoi(full.header("retry-after")), 1);
  EXPECT_EQ(ask(port, post("/v1/jobs", candidate("wait"))).status, 429);
  const std::string three = candidate("x") + "," + candidate("x") + "," + candidate("x");
  EXPECT_EQ(ask(port, post("/v1/verify/batch", "[" + three + "]")).status, 413);
  go_on.store(true);
  go_on.notify_all();
  for (RawClient& client : clients) EXPECT_EQ(client.receive().status, 200);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(ask(port, post("/v1/jobs", candidate("x"))).status, 202);
  EXPECT_EQ(ask(port, post("/v1/jobs", candidate("x"))).status, 429);
}

TEST_F(ScriptedService, TooMuchTextHearsIt) {
  options.body_mb = 1;
  const int port = start();
  EXPECT_EQ(ask(port, post("/v1/verify", candidate(std::string(1 << 20, 'x')))).status, 413);
  EXPECT_EQ(ask(port, post("/v1/verify", candidate(std::string(1 << 19, 'x')))).status, 200);
}

TEST_F(ScriptedService, WhoGaveUpIsNotJudged) {
  options.workers = 1;
  const int port = start();
  RawClient first(port);
  first.send(post("/v1/verify", candidate("wait")));
  wait_for_begun(1);
  std::vector<RawClient> gone;
  for (int i = 0; i < 20; ++i) gone.emplace_back(port).send(post("/v1/verify", candidate("x")));
  wait_for(port, "candidates_waiting", gone.size());
  gone.clear();
  wait_for(port, "connections", 2);  // the first and who asks
  go_on.store(true);
  go_on.notify_all();
  EXPECT_EQ(first.receive().status, 200);
  EXPECT_EQ(ask(port, post("/v1/verify", candidate("x"))).status, 200);
  EXPECT_EQ(begun, 2);
}

TEST_F(ScriptedService, ARequestMayChooseSomeOptions) {
  const int port = start();
  for (int i = 0; i < 3; ++i) {
    const auto policy = [&](const std::string& more) {
      return json_of(ask(port, post("/v1/verify", candidate("x", more)))).at("verdict").at("policy").text();
    };
    EXPECT_EQ(policy(""), "kernelbench");
    EXPECT_EQ(policy(R"(,"options":{"policy":"strict"})"), "strict");
    EXPECT_EQ(policy(R"(,"options":{})"), "kernelbench");
    EXPECT_EQ(policy(R"(,"options":null)"), "kernelbench");
  }
  EXPECT_EQ(judges_made, 2);
  for (int i = 0; i < 20; ++i) {
    const std::string share = R"(,"options":{"min_work_share":0.)" + std::to_string(10 + i) + "}";
    EXPECT_EQ(ask(port, post("/v1/verify", candidate("x", share))).status, 200);
  }
}

TEST_F(ScriptedService, OursIsAVerdictAndAThrowIsToo) {
  const int port = start();
  for (const char* code : {"ours", "throw"}) {
    const Received got = ask(port, post("/v1/verify", candidate(code)));
    EXPECT_EQ(got.status, 200);
    EXPECT_EQ(json_of(got).at("verdict").at("kind").text(), "infrastructure");
    EXPECT_TRUE(json_of(got).at("verdict").at("reward").is_null());
  }
}

TEST_F(ScriptedService, AStopFinishesWhatIsJudgedAndTellsTheOthers) {
  options.workers = 1;
  const int port = start();
  RawClient judged(port), waiting(port);
  judged.send(post("/v1/verify", candidate("wait")));
  wait_for_begun(1);
  waiting.send(post("/v1/verify", candidate("wait")));
  wait_for(port, "candidates_waiting", 1);
  serving->stop();
  const Received told = waiting.receive();
  EXPECT_EQ(told.status, 503);
  EXPECT_NE(told.header("retry-after"), "");
  go_on.store(true);
  go_on.notify_all();
  EXPECT_EQ(judged.receive().status, 200);
  judged.close();
  waiting.close();
  thread.join();
}

TEST_F(ScriptedService, FiguresAreCounted) {
  const int port = start();
  for (int i = 0; i < 3; ++i) ask(port, post("/v1/verify", candidate("wrong")));
  ask(port, post("/v1/verify", "{"));
  ask(port, get("/no/such/path"));
  const std::string text = ask(port, get("/metrics")).body;
  for (const char* line :
       {"tritonrl_verdicts_total{kind=\"wrong\"} 3\n",
        "tritonrl_requests_total{path=\"/v1/verify\",status=\"200\"} 3\n",
        "tritonrl_requests_total{path=\"/v1/verify\",status=\"400\"} 1\n",
        "tritonrl_requests_total{path=\"other\",status=\"404\"} 1\n", "tritonrl_judge_seconds_count 3\n",
        "tritonrl_candidates_waiting 0\n", "tritonrl_judge_seconds_bucket{le=\"+Inf\"} 3\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST_F(ScriptedService, TheDescriptionHasEveryPathAndEveryReferenceLeadsSomewhere) {
  const Received got = ask(start(), get("/openapi.json"));
  const Json json = json_of(got);
  for (const char* path :
       {"/v1/verify", "/v1/verify/batch", "/v1/jobs", "/v1/jobs/{job}", "/healthz", "/metrics", "/openapi.json"}) {
    EXPECT_TRUE(json.at("paths").contains(path)) << path;
  }
  const std::string prefix = "#/components/schemas/";
  for (std::size_t at = 0; (at = got.body.find(prefix, at)) != std::string::npos; at += prefix.size()) {
    const std::size_t begin = at + prefix.size();
    const std::string name = got.body.substr(begin, got.body.find('"', begin) - begin);
    EXPECT_TRUE(json.at("components").at("schemas").contains(name)) << name;
  }
  const Json& verdict = json.at("components").at("schemas").at("Verdict");
  EXPECT_EQ(verdict.at("properties").at("kind").at("enum").size(), 10U);
  EXPECT_EQ(json.at("components").at("schemas").at("RequestOptions").at("properties").size(),
            std::size(kRequestOptions));
}

class TasksByName : public ScriptedService {
 protected:
  TasksByName() : folder(fs::temp_directory_path() / ("serve_tasks_" + std::to_string(::getpid()))) {
    fs::create_directories(folder / "tasks/level1");
    write("tasks/a.py", "class Model: pass  # a\n");
    write("tasks/level1/b.py", "class Model: pass  # b\n");
    write("outside.py", "secret\n");
    fs::create_symlink(folder / "outside.py", folder / "tasks/link.py");
    fs::create_symlink(folder / "tasks/a.py", folder / "tasks/inside.py");
    options.tasks = (folder / "tasks").string();
  }
  ~TasksByName() override { fs::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }

  const fs::path folder;
};

TEST_F(TasksByName, NothingOutsideTheFolderIsRead) {
  const int port = start();
  const auto asked = [&](const std::string& name) {
    return ask(port, post("/v1/verify", R"({"task":)" + Json(name).dump() + R"(,"code":"x"})"));
  };
  EXPECT_EQ(json_of(asked("a.py")).at("verdict").at("message").text(), "class Model: pass  # a\n");
  EXPECT_EQ(json_of(asked("level1/b.py")).at("verdict").at("message").text(), "class Model: pass  # b\n");
  EXPECT_EQ(asked("level1/../a.py").status, 200);
  EXPECT_EQ(asked("inside.py").status, 200);
  std::string first;
  for (const std::string& name :
       {std::string("../outside.py"), (folder / "outside.py").string(), std::string("link.py"),
        std::string("/etc/passwd"), std::string("level1"), std::string("."), std::string(""), std::string("../tasks"),
        std::string("none.py"), std::string("a.py\0", 5), std::string("../tasks2/a.py"), std::string(5000, 'a')}) {
    const Received got = asked(name);
    EXPECT_EQ(got.status, 400) << name;
    if (name.empty()) continue;
    // what is there and what is not look alike
    if (first.empty()) first = got.body;
    EXPECT_EQ(got.body, first) << name;
  }
}

TEST_F(TasksByName, AFolderThatIsNoneIsRefused) {
  options.tasks = (folder / "none").string();
  EXPECT_THROW(start(), base::UserError);
}

TEST_F(ScriptedService, TwoHundredClientsLoseNothing) {
  options.workers = 8;
  options.queue = 64;  // fewer than clients: some must ask again
  const int port = start();
  std::atomic<int> right = 0, refused = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 200; ++i) {
    clients.emplace_back([&, i] {
      const std::string task = "# client " + std::to_string(i) + "\n";
      const std::string body =
          R"({"id":)" + std::to_string(i) + R"(,"task":)" + Json(task).dump() + R"(,"code":"sleep 2"})";
      RawClient client(port);
      for (int turn = 0; turn < 3;) {
        client.send(post("/v1/verify", body));
        const Received got = client.receive();
        if (got.status == 429) {
          ++refused;
          std::this_thread::sleep_for(5ms);
          continue;
        }
        const Json json = json_of(got);
        right += json.at("id").integer() == i && json.at("verdict").at("message").text() == task ? 1 : 0;
        ++turn;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, 600);
  EXPECT_EQ(begun, 600);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace tritonrl::serve
