#include "check/junit.h"

#include <cstdio>
#include <map>

namespace tritonrl::check {
namespace {

// For text and attributes; characters that XML cannot hold become U+FFFD.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? std::string("\xef\xbf\xbd") : std::string(1, c);
    }
  }
  return out;
}

std::string attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + escaped(value) + "\"";
}

std::string attribute(const char* name, double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3f", seconds);
  return attribute(name, std::string_view(text));
}

struct Case {
  std::string name;
  double seconds = 0;
  std::string inside;  // failures, errors
  int failures = 0, errors = 0, skipped = 0;
};

void add_finding(Case& one, const CheckFinding& finding) {
  ++one.failures;
  const std::string place = finding.place.file + ":" + std::to_string(finding.place.line);
  one.inside += "      <failure" + attribute("type", finding.rule) +
                attribute("message", place + ": " + finding.message) + ">" + escaped(finding.code) + "</failure>\n";
}

std::string text_of(const Case& one, const std::string& script) {
  std::string out =
      "    <testcase" + attribute("classname", script) + attribute("name", one.name) + attribute("time", one.seconds);
  return out + (one.inside.empty() ? "/>\n" : ">\n" + one.inside + "    </testcase>\n");
}

std::string suite_text(const ScriptReport& script) {
  Case whole{.name = "script", .seconds = script.seconds};
  std::map<std::string, Case> kernels, tests;
  for (const LaunchReport& launch : script.launches) {
    Case& one = kernels[launch.kernel];
    one.name = launch.kernel;
    one.seconds += launch.milliseconds / 1000;
  }
  for (const TestReport& test : script.tests) {
    Case& one = tests[test.name];
    one = {.name = test.name, .seconds = test.seconds};
    if (test.outcome != "skipped") continue;
    one.skipped = 1;
    one.inside = "      <skipped/>\n";
  }
  for (const CheckFinding& finding : script.findings) {
    Case& one =
        !finding.kernel.empty() ? kernels[finding.kernel] : (!finding.test.empty() ? tests[finding.test] : whole);
    if (one.name.empty()) one.name = finding.kernel + finding.test;
    add_finding(one, finding);
  }
  for (const TestReport& test : script.tests) {
    Case& one = tests[test.name];
    if (test.outcome != "failed" || one.failures > 0) continue;  // it raised something else than an assertion
    one.errors = 1;
    one.inside = "      <error" + attribute("message", "the test raised an exception") + "/>\n";
  }
  for (const std::string& why : script.unchecked) {
    ++whole.skipped;
    whole.inside += "      <system-out>" + escaped("not checked: " + why) + "</system-out>\n";
  }
  if (!script.raised.empty()) {
    ++whole.errors;
    whole.inside = "      <error" + attribute("message", script.raised) + "/>\n" + whole.inside;
  }
  std::string cases;
  int count = 0, failures = 0, errors = 0, skipped = 0;
  const auto add = [&](const Case& one) {
    ++count;
    failures += one.failures > 0 ? 1 : 0;
    errors += one.errors > 0 ? 1 : 0;
    skipped += one.inside.find("<skipped") != std::string::npos ? 1 : 0;
    cases += text_of(one, script.script);
  };
  add(whole);
  for (const auto& [name, one] : kernels) add(one);
  for (const auto& [name, one] : tests) add(one);
  const auto number = [](const char* name, int value) { return attribute(name, std::to_string(value)); };
  return "  <testsuite" + attribute("name", script.script) + number("tests", count) + number("failures", failures) +
         number("errors", errors) + number("skipped", skipped) + attribute("time", script.seconds) + ">\n" + cases +
         "  </testsuite>\n";
}

}  // namespace

std::string junit_text(const Report& report) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const ScriptReport& script : report.scripts) out += suite_text(script);
  return out + "</testsuites>\n";
}

}  // namespace tritonrl::check
