#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "judge/rules/rule.h"

namespace tritonrl::judge {

class TrialLog;

// All rules, in the order in which they are asked. A rule may have several rows: it looks at several things.
const std::vector<Rule>& rule_table();

// What JudgeOptions::without takes beside `variation:NAME`: rules and protections.
std::vector<std::string_view> switches();

// The first rule on one of these things that is broken. Rules that are switched off or of another policy are passed
// over. `held` (may be null): those before it.
std::optional<Finding> first_broken(std::initializer_list<LooksAt> looks_at, const Evidence& evidence,
                                    std::vector<std::string_view>* held = nullptr);
// The same; it is written down, and so are those that hold where `tell`.
enum class Tell : bool { kNothing, kWhatHolds };
std::optional<Finding> first_broken(std::initializer_list<LooksAt> looks_at, const Evidence& evidence, TrialLog& log,
                                    Tell tell = Tell::kNothing);

// A broken rule, with the kind of its row.
Finding broken(std::string_view rule, Violation what);

// The table of docs/judge.md, below a line with judge_version() and a hash of all names, stages, kinds and policies: a
// test refuses another hash with the same version.
std::string rules_markdown();

}  // namespace tritonrl::judge
