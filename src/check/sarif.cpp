#include "check/sarif.h"

#include <algorithm>

#include "base/hash64.h"
#include "base/json.h"
#include "check/rules.h"

namespace tritonrl::check {
namespace {

using base::Json;

// A URI reference: what is no plain character of a path is escaped.
std::string uri_of(const std::string& file, const std::filesystem::path& root, bool& relative) {
  std::error_code error;
  const std::filesystem::path near = std::filesystem::proximate(file, root, error);
  relative = !error && !near.empty() && *near.begin() != "..";
  const std::string path = relative ? near.generic_string() : std::filesystem::absolute(file).generic_string();
  std::string out = relative ? "" : "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || c == '/' || c == '-' || c == '.' || c == '_' || c == '~';
    static constexpr char kDigits[] = "0123456789ABCDEF";
    out += plain ? std::string(1, c) : std::string{'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

Json location_of(const Place& place, const std::filesystem::path& root, const std::string& code = {}) {
  bool relative = false;
  Json artifact = {{"uri", uri_of(place.file, root, relative)}};
  if (relative) artifact["uriBaseId"] = "%SRCROOT%";
  Json region = {{"startLine", std::max(1, place.line)}};
  if (!code.empty()) region["snippet"] = {{"text", code}};
  return {{"physicalLocation", {{"artifactLocation", std::move(artifact)}, {"region", std::move(region)}}}};
}

Json rules_json() {
  Json out = Json::array();
  for (const Rule& rule : rules()) {
    out.push_back({{"id", rule.name},
                   {"shortDescription", {{"text", rule.title}}},
                   {"fullDescription", {{"text", rule.title}}},
                   {"help", {{"text", rule.help}}},
                   {"defaultConfiguration", {{"level", "error"}}}});
  }
  return out;
}

Json result_of(const CheckFinding& finding, const std::filesystem::path& root) {
  Json out = {{"ruleId", finding.rule}, {"level", "error"}};
  const auto rule =
      std::find_if(rules().begin(), rules().end(), [&](const Rule& one) { return one.name == finding.rule; });
  if (rule != rules().end()) out["ruleIndex"] = rule - rules().begin();
  out["message"] = {{"text", (finding.kernel.empty() ? "" : finding.kernel + ": ") + finding.message}};
  out["locations"] = Json::array({location_of(finding.place, root, finding.code)});
  if (finding.launched.line > 0) {
    Json launch = location_of(finding.launched, root);
    launch["id"] = 1;
    launch["message"] = {{"text", "the launch"}};
    out["relatedLocations"] = Json::array({std::move(launch)});
  }
  // A line that only moves is the same finding.
  out["partialFingerprints"] = {
      {"findingHash/v1", std::to_string(base::hash64(finding.rule + '\n' + finding.kernel + '\n' + finding.code))}};
  return out;
}

Json notification(const std::string& text, const char* level) {
  return {{"level", level}, {"message", {{"text", text}}}};
}

}  // namespace

std::string sarif_text(const Report& report, const std::filesystem::path& root) {
  Json results = Json::array(), notes = Json::array();
  bool successful = true;
  for (const ScriptReport& script : report.scripts) {
    for (const CheckFinding& finding : script.findings) results.push_back(result_of(finding, root));
    for (const std::string& one : script.unchecked) notes.push_back(notification("not checked: " + one, "warning"));
    if (script.raised.empty()) continue;
    successful = false;
    notes.push_back(notification(script.script + ": " + script.raised, "error"));
  }
  const Json run = {
      {"tool", {{"driver", {{"name", "tritonrl check"}, {"rules", rules_json()}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"invocations", Json::array({Json{{"executionSuccessful", successful}, {"toolExecutionNotifications", notes}}})},
      {"results", results}};
  return Json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({run})}}
             .dump(2) +
         "\n";
}

}  // namespace tritonrl::check
