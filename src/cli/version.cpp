#include "cli/version.h"

#include <iostream>

#include "base/fields.h"
#include "cli/build_facts.h"
#include "cli/commands.h"

namespace tritonrl::cli {
namespace {

struct Version {
  std::string version = kBuildFacts.version, commit = kBuildCommit.commit;
  bool changed = kBuildCommit.changed;
  std::string build_type = kBuildFacts.build_type, compiler = kBuildFacts.compiler, machine = kBuildFacts.machine;
  std::string torch = kBuildFacts.torch, triton = kBuildFacts.triton, arrow = kBuildFacts.arrow;
  void fields(base::FieldVisitor& field) {
    TRL_FIELDS(field, version, commit, changed, build_type, compiler, machine, torch, triton, arrow);
  }
};

std::string to_text(const Version& facts) {
  const auto or_none = [](const std::string& text, const char* none) { return text.empty() ? none : text; };
  return "tritonrl " + facts.version + "\n  commit    " + or_none(facts.commit, "not known") +
         (facts.changed ? ", with changes" : "") + "\n  build     " + facts.build_type + ", " + facts.compiler + ", " +
         facts.machine + "\n  torch     " +
         or_none(facts.torch, "none: verbs that run models or execute kernels are left out") + "\n  triton    " +
         or_none(facts.triton, "none") + "\n  pyarrow   " + or_none(facts.arrow, "none: parquet files cannot be read") +
         "\n";
}

}  // namespace

int print_version(const std::vector<std::string>& words_behind) {
  const bool json = words_behind == std::vector<std::string>{"--json"};
  if (!json && !words_behind.empty()) {
    std::cerr << "tritonrl: [cli] " << words_behind.front() << ": nothing but --json may stand behind --version\n";
    return kUserMustFix;
  }
  std::cout << (json ? base::to_json(Version()).dump() + "\n" : to_text(Version()));
  return kDone;
}

}  // namespace tritonrl::cli
