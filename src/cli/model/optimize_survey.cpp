#include "cli/model/optimize_survey.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <set>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/model/optimizer.h"
#include "cli/terminal_text.h"
#include "optimize/survey.h"
#include "program/target.h"

namespace tritonrl::cli {
namespace {

// "net.py" of "net.py:Block".
std::string file_of(const optimize::Subject& subject) {
  const std::string ending = ":" + subject.entry_point;
  return subject.place.ends_with(ending) ? subject.place.substr(0, subject.place.size() - ending.size())
                                         : subject.place;
}

class Surveying {
 public:
  Surveying(const OptimizeArguments& arguments, bool precision_given)
      : arguments_(arguments),
        optimizer_(arguments, precision_given),
        target_(program::find_target(arguments.judge.target)) {}

  // The named class, or all of the file: from the last one on those that none before has used.
  void run() {
    const optimize::Subject main = optimizer_.find(arguments_.subject);
    file_ = file_of(main);
    add(main);
    if (file_ != main.place) return;
    for (auto cls = main.classes.rbegin(); cls != main.classes.rend(); ++cls) {
      if (!seen_.contains(*cls)) add(*cls);
    }
  }

  int tell() {
    bool any = false;
    base::Json all = base::Json::array();
    std::string text;
    for (const optimize::Survey& one : surveys_) {
      for (const optimize::SurveyedClass& cls : one.classes)
        any = any || !optimize::advice_for(cls, one, "").starts_with("leave it");
      all.push_back(optimize::survey_json(one, file_, arguments_.subject.eval));
      text += (text.empty() ? "" : "\n") + optimize::survey_text(one, file_, arguments_.subject.eval);
    }
    for (const std::string& one : not_run_) text += "not run: " + one + "\n";
    print(arguments_.json ? base::Json{{"surveys", std::move(all)}, {"not_run", not_run_}}.dump() + "\n" : text);
    return any ? kDone : kAnswerIsNo;
  }

 private:
  void add(const std::string& cls) {
    try {
      add(optimizer_.find({.place = file_ + ":" + cls, .eval = arguments_.subject.eval}));
    } catch (const base::UserError& error) {
      not_run_.push_back(cls + ": " + std::string(error.what()));
    }
  }

  void add(const optimize::Subject& subject) {
    optimize::Survey one = optimize::survey(subject, optimizer_.recorder(), target_);
    for (const optimize::SurveyedClass& cls : one.classes) seen_.insert(cls.name);
    seen_.insert(subject.entry_point);
    for (optimize::SurveyedClass& cls : one.classes) {
      if (cls.name != subject.entry_point || subject.place != arguments_.subject.place) continue;
      if (!arguments_.subject.inputs.empty()) cls.inputs = arguments_.subject.inputs;  // in the user's own words
      if (!arguments_.subject.init.empty()) cls.init = arguments_.subject.init;
    }
    if (arguments_.judge.device != "cpu") measure(subject, one);
    surveys_.push_back(std::move(one));
  }

  // Each class as a task of its own, under eager torch on the GPU.
  void measure(const optimize::Subject& subject, optimize::Survey& survey) {
    const std::string file = file_of(subject);
    for (optimize::SurveyedClass& cls : survey.classes) {
      if (!cls.inputs || !cls.init) continue;
      try {
        const optimize::Subject alone = optimizer_.find({.place = file + ":" + cls.name,
                                                         .inputs = *cls.inputs,
                                                         .init = *cls.init,
                                                         .eval = arguments_.subject.eval});
        const record::Verdict verdict = optimizer_.reference(alone, alone.task({}));
        if (!verdict.timing || !verdict.timing->measured) continue;
        optimize::take_measured(cls, verdict.timing->reference_us * 1e-6);
        if (cls.name == survey.module) survey.seconds = cls.seconds;
      } catch (const base::UserError& error) {
        std::cerr << "tritonrl: " << cls.name << " was not measured: " << error.what() << "\n";
      }
    }
  }

  const OptimizeArguments& arguments_;
  Optimizer optimizer_;
  const program::Target& target_;
  std::string file_;
  std::vector<optimize::Survey> surveys_;
  std::set<std::string> seen_;
  std::vector<std::string> not_run_;
};

}  // namespace

int run_survey(const OptimizeArguments& arguments, const CLI::App& command) {
  Surveying surveying(arguments, command.get_option("--precision")->count() > 0);
  surveying.run();
  return surveying.tell();
}

}  // namespace tritonrl::cli
