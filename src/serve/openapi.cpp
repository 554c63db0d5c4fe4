#include "serve/openapi.h"

namespace tritonrl::serve {

using base::Json;

Json operation(const std::string& summary, const Json& answers) {
  return object_of({{"summary", summary}, {"responses", answers}});
}

void add_body(Json& operation, const std::string& type, const Json& schema) {
  Json& body = operation["requestBody"];
  body["required"] = true;
  body["content"][type]["schema"] = schema;
}

Json answer_of(const std::string& description, const std::string& type, const Json& schema) {
  Json out = object_of({{"description", description}});
  out["content"][type]["schema"] = schema;
  return out;
}

Json refusal(const std::string& description) {
  return answer_of(description, "application/json", reference("Error"));
}

Json openapi_of(std::span<const Route> routes, Json schemas, bool needs_token, const std::string& version) {
  Json out = object_of({{"openapi", "3.1.0"}});
  out["info"] = object_of({{"title", "tritonrl serve"}, {"version", version}});
  Json& paths = out["paths"];
  paths = Json::object();
  for (const Route& route : routes) {
    std::string method = route.method;
    for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
    Json described = route.operation;
    Json& answers = described["responses"];
    answers["400"] = refusal("the request cannot be read");
    answers["408"] = refusal("it came too slowly");
    answers["503"] = refusal("no room now, or the server is stopping; Retry-After says when");
    if (!route.types.empty()) {
      answers["413"] = refusal("the body is too long");
      answers["415"] = refusal("the body is of another type");
    }
    if (needs_token && !route.open) answers["401"] = refusal("the token is missing or wrong");
    if (route.open) described["security"] = Json::array();
    if (const std::size_t open = route.path.find('{'); open != std::string::npos) {
      const std::string name = route.path.substr(open + 1, route.path.find('}') - open - 1);
      described["parameters"] =
          Json::array({object_of({{"name", name}, {"in", "path"}, {"required", true}, {"schema", typed("string")}})});
    }
    paths[route.path][method] = std::move(described);
  }
  Json& components = out["components"];
  components["schemas"] = std::move(schemas);
  const Json what =
      object_of({{"type", "object"},
                 {"properties",
                  object_of({{"line", typed("integer")}, {"field", or_null("string")}, {"message", typed("string")}})},
                 {"required", Json::array({"field", "message"})}});
  components["schemas"]["Error"] = object_of(
      {{"type", "object"},
       {"properties",
        object_of({{"id", object_of({{"type", Json::array({"string", "number", "null"})}})}, {"error", what}})},
       {"required", Json::array({"error"})}});
  if (needs_token) {
    components["securitySchemes"]["token"] = object_of({{"type", "http"}, {"scheme", "bearer"}});
    out["security"] = Json::array({object_of({{"token", Json::array()}})});
  }
  return out;
}

}  // namespace tritonrl::serve
