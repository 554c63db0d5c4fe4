#include "check/events.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/fields.h"
#include "base/json.h"

namespace tritonrl::check {
namespace {

using base::Json;
using machine::Finding;

// Lines of the user's files, for messages.
std::string line_of(const Place& place) {
  std::ifstream file(place.file);
  std::string text;
  for (int i = 0; i < place.line && std::getline(file, text); ++i) continue;
  if (!file || place.line < 1) return {};
  const std::size_t begin = text.find_first_not_of(" \t");
  const std::size_t end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
}

void add_finding(ScriptReport& script, CheckFinding finding) {
  for (CheckFinding& known : script.findings) {
    if (known.rule != finding.rule || known.place != finding.place || known.kernel != finding.kernel) continue;
    known.times += finding.times;
    return;
  }
  finding.code = line_of(finding.place);
  script.findings.push_back(std::move(finding));
}

LaunchReport launch_of(const Json& event) {
  LaunchReport out;
  out.kernel = event.at("kernel").text();
  out.defined = {event.at("file").text(), event.at("line").get<int>()};
  out.launched = {event.at("launch_file").text(), event.at("launch_line").get<int>()};
  out.grid = event.at("grid").get<std::array<std::int64_t, 3>>();
  out.num_warps = event.at("num_warps").get<int>();
  out.num_stages = event.at("num_stages").get<int>();
  return out;
}

bool stops_check(Finding::Kind kind) {
  return kind == Finding::Kind::kNotExecutable || kind == Finding::Kind::kMemory || kind == Finding::Kind::kTimeout;
}

void add_launch(ScriptReport& script, const Json& event) {
  LaunchReport launch = launch_of(event);
  const auto unchecked = [&](const std::string& why) {
    const std::string text =
        launch.kernel + " (" + launch.launched.file + ":" + std::to_string(launch.launched.line) + "): " + why;
    if (std::find(script.unchecked.begin(), script.unchecked.end(), text) == script.unchecked.end())
      script.unchecked.push_back(text);
  };
  const Json& outcome = event.at("outcome");
  for (const char* name : {"problem", "error"}) {
    if (const Json* why = outcome.find(name)) return unchecked(why->text());
  }
  LaunchResult result;
  base::read_fields(outcome, result);
  for (Finding& finding : result.findings) {
    if (stops_check(finding.kind)) {
      unchecked(finding.message);
      continue;
    }
    CheckFinding made;
    made.rule = to_string(finding.kind);
    made.place = finding.line > 0 ? Place{launch.defined.file, finding.line} : launch.defined;
    made.kernel = launch.kernel;
    made.message = std::move(finding.message);
    made.program = finding.program;
    made.launched = launch.launched;
    add_finding(script, std::move(made));
  }
  for (LaunchReport& known : script.launches) {
    if (known.kernel != launch.kernel || known.defined != launch.defined || known.launched != launch.launched ||
        known.grid != launch.grid || known.num_warps != launch.num_warps) {
      continue;
    }
    ++known.times;
    known.milliseconds += result.milliseconds;
    return;
  }
  launch.counters = std::move(result.counters);
  launch.time = result.time;
  launch.milliseconds = result.milliseconds;
  launch.printed = std::move(result.printed);
  script.launches.push_back(std::move(launch));
}

std::string index_text(const std::vector<std::int64_t>& index) {
  std::string out = "[";
  for (const std::int64_t one : index) out += (out.size() > 1 ? ", " : "") + std::to_string(one);
  return out + "]";
}

void add_read(ScriptReport& script, const Json& event) {
  CheckFinding made;
  made.rule = to_string(Finding::Kind::kUndefinedRead);
  made.place = {event.at("file").text(), event.at("line").get<int>()};
  made.message = "torch's " + event.at("operator").text() + " reads " + std::to_string(event.at("elements").integer()) +
                 " of " + std::to_string(event.at("of").integer()) +
                 " elements that nothing has written, the first at " +
                 index_text(event.at("first").get<std::vector<std::int64_t>>());
  if (const Json& at = event.at("made_at"); at.at(1).integer() > 0)
    made.message += "; the memory was made at line " + std::to_string(at.at(1).integer());
  if (const Json& by = event.at("launched"); by.is_array())
    made.message +=
        ", and " + by.at(0).text() + ", launched at line " + std::to_string(by.at(2).integer()) + ", was given it";
  add_finding(script, std::move(made));
}

CheckFinding in_script(const Json& event, std::string rule) {
  CheckFinding made;
  made.rule = std::move(rule);
  made.place = {event.at("file").text(), event.at("line").get<int>()};
  made.message = event.at("message").text();
  return made;
}

}  // namespace

void add_event(Report& report, std::string_view line) {
  const Json event = Json::parse(line);
  const std::string& kind = event.at("event").text();
  if (kind == "begin") {
    report.scripts.emplace_back().script = event.at("script").text();
    return;
  }
  if (report.scripts.empty()) throw base::JsonError("an event before any script began");
  ScriptReport& script = report.scripts.back();
  if (kind == "launch") {
    add_launch(script, event);
  } else if (kind == "read") {
    add_read(script, event);
  } else if (kind == "left_out") {
    script.left_out.push_back(event.at("name").text() + ": " + std::to_string(event.at("ran").integer()) + " of " +
                              std::to_string(event.at("of").integer()) + " " + event.at("what").text());
  } else if (kind == "compile_error") {
    CheckFinding made = in_script(event, kind);
    made.kernel = event.at("kernel").text();
    add_finding(script, std::move(made));
  } else if (kind == "failed_assert") {
    CheckFinding made = in_script(event, kind);
    made.test = event.at("test").text();
    if (made.message.empty()) made.message = "the assertion does not hold";
    add_finding(script, std::move(made));
  } else if (kind == "test") {
    script.tests.push_back({event.at("name").text(), event.at("outcome").text(), event.at("seconds").real()});
  } else if (kind == "raised") {
    script.raised = event.at("exception").text() + ": " + event.at("message").text();
    script.raised_at = {event.at("file").text(), event.at("line").get<int>()};
  } else if (kind == "ended") {
    script.seconds = event.at("seconds").real();
    std::ostringstream text;
    text << "ended after " << script.seconds << " s (--script-seconds)";
    script.raised = text.str();
  } else if (kind == "died") {
    script.raised = "the process was ended by signal " + std::to_string(event.at("signal").integer());
  } else if (kind == "end") {
    script.seconds = event.at("seconds").real();
  }
}

}  // namespace tritonrl::check
