#include "serve/serving.h"

#include "base/error.h"
#include "http/server.h"
#include "serve/answers.h"
#include "serve/completion_routes.h"
#include "serve/judge_routes.h"
#include "serve/judge_schemas.h"
#include "serve/openapi.h"
#include "serve/prompt_desk.h"
#include "serve/service.h"

namespace tritonrl::serve {
namespace {

using base::Json;

http::ServerOptions server_options(const ServeOptions& options) {
  http::ServerOptions out;
  out.host = options.host;
  out.port = options.port;
  out.connections = options.connections;
  out.limits.body = static_cast<std::size_t>(options.body_mb) << 20;
  out.held = static_cast<std::size_t>(options.queue_mb + options.body_mb) << 20;
  return out;
}

void require_token(const ServeOptions& options, const std::string& token) {
  if (!token.empty() || options.open || is_loopback(options.host)) return;
  throw base::UserError("serve", "--host " + options.host +
                                     ": whoever reaches it could let programs run here; ask for a token with "
                                     "--token-file or TRITONRL_TOKEN, or say --open where all who reach it may");
}

Route plain(const std::string& path, bool open, const std::string& summary, const std::string& type,
            std::function<http::Answer()> answer) {
  const Json shape = type == "application/json" ? typed("object") : typed("string");
  return {
      .method = "GET",
      .path = path,
      .types = {},
      .open = open,
      .operation = operation(summary, object_of({{"200", answer_of(summary, type, shape)}})),
      .handle = [answer = std::move(answer)](const auto&, const auto&, const Call& call) { call.answer(answer()); }};
}

}  // namespace

struct Serving::State {
  explicit State(const ServeOptions& options) : options(options) {}

  const ServeOptions options;
  Metrics metrics;
  std::optional<JudgeDesk> desk;
  std::optional<VerifyRoutes> verify;
  ServedModel model;
  std::optional<PromptDesk> prompts;
  std::optional<Service> service;
  std::optional<http::Server> server;

  Metrics::Gauges gauges() const {
    Metrics::Gauges out;
    if (desk) out.waiting = desk->waiting();
    if (desk) out.judging = desk->judging();
    if (verify) out.jobs = static_cast<std::int64_t>(verify->jobs());
    if (prompts) out.prompts = prompts->waiting();
    if (server) out.connections = server->connections();
    return out;
  }
};

Serving::Serving(const ServeOptions& options, const std::string& token, const ServedParts& parts)
    : state_(std::make_unique<State>(options)) {
  require_token(options, token);
  State& state = *state_;
  std::vector<Route> routes;
  Json schemas = Json::object();
  routes.push_back(plain("/healthz", /*open=*/true, "Whether the service is there", "application/json", [] {
    return json_answer(object_of({{"status", "ok"}}));
  }));
  routes.push_back(plain("/metrics", false, "Figures in Prometheus' form", "text/plain", [&state] {
    return http::Answer{.body = state.metrics.text(state.gauges()), .type = "text/plain; version=0.0.4"};
  }));
  if (parts.judge) {
    state.desk.emplace(parts.judge, parts.judge_options,
                       JudgeDesk::Limits{options.workers, options.queue, std::int64_t{options.queue_mb} << 20},
                       state.metrics);
    state.verify.emplace(options, *state.desk);
    for (Route& route : judge_routes(*state.verify)) routes.push_back(std::move(route));
    schemas.update(judge_schemas(!options.tasks.empty()));
  }
  if (parts.model.generator != nullptr) {
    state.model = parts.model;
    state.prompts.emplace(*parts.model.generator, options.prompts);
    for (Route& route : completion_routes(state.model, *state.prompts, state.metrics))
      routes.push_back(std::move(route));
    schemas.update(completion_schemas());
  }
  const auto description = std::make_shared<std::string>();
  routes.push_back(plain("/openapi.json", false, "This description", "application/json",
                         [description] { return http::Answer{.body = *description}; }));
  *description = openapi_of(routes, std::move(schemas), !token.empty(), parts.version).dump(1) + "\n";
  state.service.emplace(std::move(routes), token, state.metrics);
  state.server.emplace(server_options(options), *state.service);
}

Serving::~Serving() = default;

int Serving::port() const {
  return state_->server->port();
}

void Serving::run(std::chrono::milliseconds grace) {
  state_->server->run(grace);
}

void Serving::stop() {
  state_->server->stop();
  if (state_->desk) state_->desk->stop();
  if (state_->prompts) state_->prompts->stop();
}

}  // namespace tritonrl::serve
