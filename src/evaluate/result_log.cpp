#include "evaluate/result_log.h"

#include <map>
#include <tuple>

#include "base/error.h"

namespace tritonrl::evaluate {
namespace {

using base::Json;

constexpr const char* kOptions = "options";

// The name of the first member that two objects do not share; empty: they are equal. Objects inside are looked into.
std::string first_difference(const Json& a, const Json& b) {
  if (a == b) return "";
  if (!a.is_object() || !b.is_object()) return " (" + a.dump() + " then, " + b.dump() + " now)";
  for (const Json* one : {&a, &b}) {
    for (const Json::Member& member : one->items()) {
      const Json* in_a = a.find(member.name);
      const Json* in_b = b.find(member.name);
      if (in_a == nullptr || in_b == nullptr) return member.name;
      if (*in_a == *in_b) continue;
      const std::string inside = first_difference(*in_a, *in_b);
      return member.name + (inside.starts_with(" ") ? "" : ".") + inside;
    }
  }
  return "";
}

}  // namespace

ResultLog::ResultLog(const std::filesystem::path& path, const Json& options, bool overwrite) : log_(path) {
  const std::vector<std::string> lines = overwrite ? std::vector<std::string>() : log_.lines();
  if (!lines.empty()) {
    take_up(lines, options);
    return;
  }
  log_.keep(0);
  Json head = Json::object();
  head[kOptions] = options;
  log_.append(head.dump());
}

void ResultLog::take_up(const std::vector<std::string>& lines, const Json& options) {
  const auto refuse = [&](const std::string& reason) {
    throw base::UserError(
        "evaluate", log_.path().string() + ": " + reason + "; choose another --out, or pass --overwrite to begin anew");
  };
  const std::optional<Json> head = Json::try_parse(lines.front());
  const Json* begun = head ? head->find(kOptions) : nullptr;
  if (begun == nullptr) refuse("exists and is no log of `tritonrl eval`");
  // as it reads after being written: numbers lose their kinds
  const std::string difference = first_difference(*begun, Json::parse(options.dump()));
  if (!difference.empty()) refuse("was begun with other options: " + difference);
  std::map<std::tuple<std::string, bool, int>, std::size_t> places;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const base::Result<SampleResult> read = record::sample_result_from_json(lines[i]);
    if (!read.ok()) refuse("line " + std::to_string(i + 1) + ": " + read.error());
    const SampleResult& result = read.value();
    if (result.passing()) continue;
    const auto [place, fresh] = places.emplace(std::tuple(result.id, result.greedy, result.index), kept_.size());
    if (fresh) kept_.push_back(result);
  }
}

void ResultLog::append(const SampleResult& result) {
  log_.append(base::to_json(result).dump());
}

}  // namespace tritonrl::evaluate
