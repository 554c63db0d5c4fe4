#include "runner/wire_parts.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

namespace tritonrl::runner {
namespace {

using Json = nlohmann::json;
using machine::Counters;
using machine::Finding;
using machine::TensorTraffic;

// One list of fields for both directions.
template <class Object, class Visit>
void visit_options(Object& options, Visit&& visit) {
  visit("threads", options.threads);
  visit("wall_ms", options.wall_ms);
  visit("value_bytes", options.value_bytes);
  visit("check_races", options.check_races);
  visit("check_undefined", options.check_undefined);
  visit("count", options.count);
  visit("cover", options.cover);
  visit("nan_origin", options.nan_origin);
  visit("max_findings", options.max_findings);
  visit("max_printed_bytes", options.max_printed_bytes);
}

template <class Object, class Visit>
void visit_traffic(Object& traffic, Visit&& visit) {
  visit("tensor", traffic.tensor);
  visit("storage", traffic.storage);
  visit("bytes", traffic.bytes);
  visit("load_sectors", traffic.load_sectors);
  visit("store_sectors", traffic.store_sectors);
  visit("fresh_load_sectors", traffic.fresh_load_sectors);
  visit("fresh_store_sectors", traffic.fresh_store_sectors);
  visit("load_bytes", traffic.load_bytes);
  visit("store_bytes", traffic.store_bytes);
  visit("unique_load_bytes", traffic.unique_load_bytes);
  visit("unique_store_bytes", traffic.unique_store_bytes);
  visit("atomic_bytes", traffic.atomic_bytes);
}

template <class Object, class Visit>
void visit_counters(Object& counters, Visit&& visit) {
  visit("programs", counters.programs);
  visit("executed", counters.executed);
  visit("dot_ops", counters.dot_ops);
  visit("integer_ops", counters.integer_ops);
  visit("float_ops", counters.float_ops);
  visit("double_ops", counters.double_ops);
  visit("special_ops", counters.special_ops);
  visit("loads", counters.loads);
  visit("stores", counters.stores);
  visit("atomics", counters.atomics);
  visit("dots", counters.dots);
  visit("reductions", counters.reductions);
  visit("longest_loads", counters.longest_loads);
  visit("atomic_conflicts", counters.atomic_conflicts);
  visit("longest_steps", counters.longest_steps);
}

template <class Object, class Visit>
void visit_finding(Object& finding, Visit&& visit) {
  visit("message", finding.message);
  visit("operation", finding.operation);
  visit("line", finding.line);
  visit("location", finding.location);
  visit("program", finding.program);
  visit("tensor", finding.tensor);
  visit("offset", finding.offset);
}

auto writer(Json& out) {
  return [&out](const char* name, const auto& value) { out[name] = value; };
}

auto reader(const Json& in) {
  return [&in](const char* name, auto& value) { in.at(name).get_to(value); };
}

Counters counters_from_json(const Json& json) {
  Counters out;
  visit_counters(out, reader(json));
  for (const Json& traffic : json.at("tensors")) visit_traffic(out.tensors.emplace_back(), reader(traffic));
  return out;
}

}  // namespace

Json to_json(const Counters& counters) {
  Json out;
  visit_counters(counters, writer(out));
  out["tensors"] = Json::array();
  for (const TensorTraffic& traffic : counters.tensors) visit_traffic(traffic, writer(out["tensors"].emplace_back()));
  return out;
}

Json to_json(const StepPlace& place) {
  return {static_cast<int>(place.section), place.forward, place.step};
}

StepPlace place_from_json(const Json& json) {
  const int section = json.at(0).get<int>();
  if (section < 0 || section > static_cast<int>(Section::kForward)) {
    throw Json::other_error::create(501, "no such section", nullptr);
  }
  return {static_cast<Section>(section), json.at(1).get<int>(), json.at(2).get<int>()};
}

Json to_json(const machine::MachineOptions& options) {
  Json out;
  visit_options(options, writer(out));
  return out;
}

machine::MachineOptions machine_options_from_json(const Json& json) {
  machine::MachineOptions out;
  visit_options(out, reader(json));
  return out;
}

Json to_json(const std::vector<machine::SourcePosition>& positions) {
  std::vector<int> flat;
  for (const machine::SourcePosition& one : positions) flat.insert(flat.end(), {one.line, one.column, one.side});
  return flat;
}

std::vector<machine::SourcePosition> positions_from_json(const Json& json) {
  const auto flat = json.get<std::vector<int>>();
  std::vector<machine::SourcePosition> out;
  for (std::size_t i = 0; i + 2 < flat.size(); i += 3) out.push_back({flat[i], flat[i + 1], flat[i + 2]});
  const bool sorted = std::adjacent_find(out.begin(), out.end(), std::greater_equal<>()) == out.end();
  if (flat.size() != 3 * out.size() || !sorted || (!out.empty() && out.front().line < 1)) {
    throw Json::other_error::create(501, "no list of positions", nullptr);
  }
  return out;
}

Json to_json(const LaunchReport& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    Json& one = findings.emplace_back();
    one["kind"] = static_cast<int>(finding.kind);
    visit_finding(finding, writer(one));
  }
  return {{"at", to_json(report.at)},
          {"variant", report.variant},
          {"completed", report.completed},
          {"findings", std::move(findings)},
          {"counters", to_json(report.counters)},
          {"printed", report.printed},
          {"milliseconds", report.milliseconds}};
}

LaunchReport report_from_json(const Json& json) {
  LaunchReport out;
  out.at = place_from_json(json.at("at"));
  json.at("variant").get_to(out.variant);
  json.at("completed").get_to(out.completed);
  for (const Json& one : json.at("findings")) {
    Finding& finding = out.findings.emplace_back();
    const int kind = one.at("kind").get<int>();
    if (kind < 0 || kind > static_cast<int>(Finding::Kind::kNan)) {
      throw Json::other_error::create(501, "no such kind of finding", nullptr);
    }
    finding.kind = static_cast<Finding::Kind>(kind);
    visit_finding(finding, reader(one));
  }
  out.counters = counters_from_json(json.at("counters"));
  json.at("printed").get_to(out.printed);
  json.at("milliseconds").get_to(out.milliseconds);
  return out;
}

}  // namespace tritonrl::runner
