#include "optimize/survey.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "optimize/fewest_kernels.h"
#include "optimize/wording.h"

namespace tritonrl::optimize {
namespace {

using base::Json;
using python::ModuleRun;

constexpr double kWorthAWord = 0.01;  // of the whole: less is not worth a kernel
constexpr double kWorthOfOwn = 0.1;   // of what the class takes itself
constexpr std::size_t kNames = 4;     // of operators in a sentence

void add_names(std::vector<std::string>& to, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
  }
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kNames); ++i) out += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kNames ? out + ", …" : out;
}

std::string kernels_text(int count) {
  return std::to_string(count) + (count == 1 ? " kernel" : " kernels");
}

// A word of a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Seconds of the classes of the file that are called straight from this run.
double seconds_inside(const std::vector<const ModuleRun*>& runs, std::size_t at,
                      const std::vector<FewestKernels>& costs) {
  double out = 0;
  std::size_t end = runs[at]->begin;
  for (std::size_t i = at + 1; i < runs.size() && runs[i]->begin < runs[at]->end; ++i) {
    if (runs[i]->begin < end) continue;  // inside the one before
    out += costs[i].eager_seconds;
    end = std::max(end, runs[i]->end);
  }
  return out;
}

std::string microseconds(double seconds) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.1f us", seconds * 1e6);
  return text;
}

int percent(double part, double whole) {
  return whole > 0 ? static_cast<int>(100 * part / whole + 0.5) : 0;
}

}  // namespace

Survey survey(const Subject& subject, python::Recorder& recorder, const program::Target& target) {
  Sizes largest;
  for (const Range& range : subject.ranges()) largest[range.name] = range.high;
  python::RecordRequest request;
  request.task = subject.task(largest);
  request.target = &target;
  request.modules = true;
  const python::RecordOutcome outcome = recorder.record(request);
  if (!outcome.program) {
    throw base::UserError("optimize", name_of(subject) + " does not run (" + outcome.phase +
                                          "): " + (outcome.exception.empty() ? "" : outcome.exception + ": ") +
                                          first_line(outcome.message) +
                                          "; say what it is called with and made with: --input, --init");
  }
  const program::Forward& forward = outcome.program->forwards.back();
  std::vector<const ModuleRun*> runs;  // of the file's classes
  for (const ModuleRun& run : outcome.modules) {
    if (run.own && run.end > run.begin) runs.push_back(&run);
  }
  std::vector<FewestKernels> costs;
  for (const ModuleRun* run : runs)
    costs.push_back(fewest_kernels(*outcome.program, forward, run->begin, run->end, target));

  Survey out{.module = subject.entry_point,
             .inputs_from = subject.inputs_from,
             .shown_inputs = subject.shown_inputs,
             .target = target.name};
  out.seconds = fewest_kernels(*outcome.program, forward, 0, forward.steps.size(), target).eager_seconds;
  std::map<std::string, SurveyedClass> classes;
  std::map<std::string, double> costliest;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ModuleRun& run = *runs[i];
    SurveyedClass& of = classes[run.cls];
    of.name = run.cls;
    if (std::find(of.paths.begin(), of.paths.end(), run.path) == of.paths.end()) of.paths.push_back(run.path);
    ++of.calls;
    of.seconds += costs[i].eager_seconds;
    of.own_seconds += costs[i].eager_seconds - seconds_inside(runs, i, costs);
    of.floor_seconds += costs[i].seconds;
    add_names(of.fused, costs[i].fused);
    add_names(of.kept, costs[i].kept);
    if (costs[i].eager_seconds <= costliest[run.cls]) continue;
    costliest[run.cls] = costs[i].eager_seconds;
    of.kernels = costs[i].eager_kernels;
    of.floor_kernels = costs[i].kernels;
    of.init = run.init;
    of.inputs = run.inputs;
  }
  for (auto& [name, one] : classes) out.classes.push_back(std::move(one));
  std::stable_sort(out.classes.begin(), out.classes.end(),
                   [](const SurveyedClass& a, const SurveyedClass& b) { return a.gain() > b.gain(); });
  return out;
}

void take_measured(SurveyedClass& of, double seconds_of_a_call) {
  const double factor = of.seconds > 0 ? seconds_of_a_call * of.calls / of.seconds : 1;
  of.seconds *= factor;
  of.own_seconds *= factor;
  of.floor_seconds *= factor;
  of.measured = true;
}

std::string command_for(const SurveyedClass& one, const std::string& file, bool eval) {
  if (!one.inputs || !one.init) return "";
  std::string out = "tritonrl optimize " + file + ":" + one.name;
  for (const std::string& input : *one.inputs) out += " --input " + quoted(input);
  if (!one.init->empty()) out += " --init " + quoted(*one.init);
  return out + (eval ? " --eval" : "");
}

std::string advice_for(const SurveyedClass& one, const Survey& survey, const std::string& command) {
  const bool too_little = one.gain() < kWorthAWord * survey.seconds || one.gain() < kWorthOfOwn * one.seconds;
  if (one.fused.empty()) return "leave it: torch does " + listed(one.kept) + " well";
  if (too_little) {
    return "leave it: " + (one.kept.empty() ? std::string("its kernels are near what the memory allows")
                                            : std::to_string(percent(one.floor_seconds, one.seconds)) +
                                                  " % of its time would stay (" + listed(one.kept) + ")");
  }
  std::string out = kernels_text(one.kernels) + " of torch could be " + std::to_string(one.floor_kernels) + " (" +
                    listed(one.fused) + " fused" + (one.kept.empty() ? "" : " around " + listed(one.kept)) + ")";
  return out + (command.empty() ? "; its arguments cannot be written as options: optimise the class that calls it"
                                : ": " + command);
}

std::string survey_text(const Survey& survey, const std::string& file, bool eval) {
  char line[200];
  std::string out = survey.module + ", inputs " + survey.inputs_from +
                    (survey.shown_inputs.empty() ? "" : ": " + survey.shown_inputs) + "; forward " +
                    microseconds(survey.seconds) + " under eager torch, modelled on " + survey.target + "\n";
  std::snprintf(line, sizeof(line), "  %-28s %6s %12s %7s %7s %12s\n", "class", "calls", "time", "share", "own",
                "could save");
  out += line;
  for (const SurveyedClass& one : survey.classes) {
    std::snprintf(line, sizeof(line), "  %-28s %6d %12s %5d %% %5d %% %10d %%%s\n", one.name.substr(0, 28).c_str(),
                  one.calls, microseconds(one.seconds).c_str(), percent(one.seconds, survey.seconds),
                  percent(one.own_seconds, survey.seconds), percent(one.gain(), survey.seconds),
                  one.measured ? "  measured" : "");
    out += line;
    out += "      " + advice_for(one, survey, command_for(one, file, eval)) + "\n";
  }
  if (survey.classes.empty()) out += "  no class of the file was called\n";
  return out;
}

Json survey_json(const Survey& survey, const std::string& file, bool eval) {
  Json classes = Json::array();
  for (const SurveyedClass& one : survey.classes) {
    const std::string command = command_for(one, file, eval);
    classes.push_back({{"class", one.name},
                       {"paths", one.paths},
                       {"calls", one.calls},
                       {"us", one.seconds * 1e6},
                       {"timing", one.measured ? "measured" : "modelled"},
                       {"share", survey.seconds > 0 ? one.seconds / survey.seconds : 0},
                       {"own_share", survey.seconds > 0 ? one.own_seconds / survey.seconds : 0},
                       {"could_save", survey.seconds > 0 ? one.gain() / survey.seconds : 0},
                       {"kernels", one.kernels},
                       {"fewest_kernels", one.floor_kernels},
                       {"fused", one.fused},
                       {"kept", one.kept},
                       {"init", one.init},
                       {"input", one.inputs},
                       {"command", command.empty() ? Json() : Json(command)},
                       {"advice", advice_for(one, survey, command)}});
  }
  return {{"module", survey.module},
          {"inputs_from", survey.inputs_from},
          {"target", survey.target},
          {"us", survey.seconds * 1e6},
          {"classes", std::move(classes)}};
}

}  // namespace tritonrl::optimize
