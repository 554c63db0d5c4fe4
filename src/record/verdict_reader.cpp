#include <cmath>
#include <limits>

#include "record/json_fields.h"
#include "record/verdict.h"

namespace tritonrl::record {
namespace {

// Reads one object; the first mistake is kept and named with the path of its field, later reads go on with defaults.
class Fields {
 public:
  Fields(const Json& json, std::string path, std::string& error) : json_(json), path_(std::move(path)), error_(error) {
    if (!json_.is_object()) complain(path_.empty() ? "the verdict" : path_, "is not an object");
  }

  void read(const std::string& name, std::string& out, bool required = true) {
    if (const Json* value = find(name, required)) {
      if (value->is_string()) {
        out = value->get<std::string>();
      } else {
        complain(place(name), "is not a string");
      }
    }
  }

  void read(const std::string& name, bool& out) {
    if (const Json* value = find(name, true)) {
      if (value->is_boolean()) {
        out = value->get<bool>();
      } else {
        complain(place(name), "is not true or false");
      }
    }
  }

  void read(const std::string& name, int& out) {
    if (const Json* value = find(name, true)) {
      const bool fits = value->is_number_integer() && *value >= std::numeric_limits<int>::min() &&
                        *value <= std::numeric_limits<int>::max();
      if (fits) {
        out = value->get<int>();
      } else {
        complain(place(name), "is not a whole number");
      }
    }
  }

  void read(const std::string& name, std::optional<double>& out, bool required = true) {
    if (const Json* value = find(name, required)) {
      if (value->is_number()) {
        out = value->get<double>();
      } else if (value->is_null()) {
        out.reset();
      } else {
        complain(place(name), "is neither a number nor null");
      }
    }
  }

  // null stands for what no number was.
  void read(const std::string& name, double& out) {
    std::optional<double> value;
    read(name, value);
    out = value.value_or(std::nan(""));
  }

  // One of the names of an enum that begins at 0 and ends with `last`.
  template <class Enum>
  void read(const std::string& name, Enum last, Enum& out) {
    std::string text;
    read(name, text);
    for (int i = 0; i <= static_cast<int>(last); ++i) {
      if (to_string(static_cast<Enum>(i)) == text) {
        out = static_cast<Enum>(i);
        return;
      }
    }
    complain(place(name), "has the unknown value '" + text.substr(0, 40) + "'");
  }

  // Null where the field is missing, which is a mistake if it is required.
  const Json* find(const std::string& name, bool required) {
    const auto at = json_.is_object() ? json_.find(name) : json_.end();
    if (at != json_.end()) return &*at;
    if (required) complain(place(name), "is missing");
    return nullptr;
  }

  template <class Element>
  void each(const std::string& name, bool required, Element element) {
    const Json* list = find(name, required);
    if (list == nullptr) return;
    if (!list->is_array()) return complain(place(name), "is not a list");
    for (std::size_t i = 0; i < list->size(); ++i) element((*list)[i], place(name) + "[" + std::to_string(i) + "]");
  }

  std::string place(const std::string& name) const { return path_.empty() ? name : path_ + "." + name; }

  void complain(const std::string& field, const std::string& problem) {
    if (error_.empty()) error_ = field + " " + problem;
  }

 private:
  const Json& json_;
  const std::string path_;
  std::string& error_;
};

Timing read_timing(const Json& json, std::string& error) {
  Fields fields(json, "timing", error);
  Timing out;
  std::string mode;
  fields.read("mode", mode);
  out.measured = mode == "measured";
  if (!out.measured && mode != "modelled") fields.complain("timing.mode", "is neither measured nor modelled");
  fields.read("speedup", out.speedup);
  fields.read("cv", out.cv);
  fields.read("reference_us", out.reference_us);
  fields.read("candidate_us", out.candidate_us);
  fields.read("target", out.target);
  if (fields.find("trials", false) == nullptr) return out;
  fields.read("trials", out.trials);
  fields.read("speedup_low", out.speedup_low);
  fields.read("speedup_high", out.speedup_high);
  fields.read("reference_host_us", out.reference_host_us);
  fields.read("candidate_host_us", out.candidate_host_us);
  fields.read("modelled_speedup", out.modelled_speedup, false);
  fields.read("device", out.device, false);
  fields.read("floor_us", out.floor_us, false);
  fields.read("baseline", out.baseline, false);
  fields.read("compile_us", out.compile_us, false);
  fields.read("speedup_over_compile", out.speedup_over_compile, false);
  return out;
}

LiveResult read_live(const Json& json, std::string& error) {
  Fields fields(json, "live", error);
  LiveResult out;
  if (const Json* agrees = fields.find("agrees", true); agrees != nullptr && !agrees->is_null())
    fields.read("agrees", out.agrees.emplace());
  fields.read("wall_us", out.wall_us);
  fields.read("reference_wall_us", out.reference_wall_us);
  fields.read("speedup", out.speedup);
  fields.read("max_error", out.max_error);
  fields.read("message", out.message);
  return out;
}

void read_extra_fields(Fields& fields, Verdict& out, std::string& error) {
  fields.read("plan_reward", out.plan_reward, false);
  fields.read("code_reward", out.code_reward, false);
  if (const Json* at = fields.find("at", false)) {
    Fields place(*at, "at", error);
    out.at.emplace();
    place.read("file", out.at->file);
    place.read("line", out.at->line);
    place.read("code", out.at->code);
  }
  fields.read("expected", out.expected, false);
  fields.read("got", out.got, false);
  fields.read("advice", out.advice, false);
  fields.each("checks", false, [&](const Json& json, const std::string& path) {
    Fields check(json, path, error);
    CheckResult& result = out.checks.emplace_back();
    check.read("name", result.name);
    check.read("passed", result.passed);
    check.read("detail", result.detail);
  });
  fields.each("notes", false, [&](const Json& json, const std::string& path) {
    if (!json.is_string()) return fields.complain(path, "is not a string");
    out.notes.push_back(json.get<std::string>());
  });
  fields.read("sandbox", out.sandbox, false);
  if (const Json* live = fields.find("live", false)) out.live = read_live(*live, error);
}

}  // namespace

base::Result<Verdict> verdict_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return base::Failure{"the verdict is not JSON"};
  std::string error;
  Fields fields(json, "", error);
  Verdict out;
  fields.read("kind", VerdictKind::kInfrastructure, out.kind);
  fields.read("stage", Stage::kTiming, out.stage);
  fields.read("rule", out.rule);
  fields.read("message", out.message);
  fields.read("reward", out.reward);
  fields.read("policy", out.policy);
  fields.read("backend", out.backend);
  fields.each("variations", true, [&](const Json& one, const std::string& path) {
    Fields variation(one, path, error);
    VariationResult& result = out.variations.emplace_back();
    variation.read("name", result.name);
    variation.read("status", VariationResult::Status::kNotApplicable, result.status);
    variation.read("max_error", result.max_error);
    variation.read("message", result.message, false);
    variation.read("size", result.size, false);
  });
  if (const Json* timing = fields.find("timing", true); timing != nullptr && !timing->is_null()) {
    out.timing = read_timing(*timing, error);
  }
  fields.read("work_share", out.work_share);
  if (const Json* ms = fields.find("ms", true)) {
    Fields stages(*ms, "ms", error);
    if (ms->is_object()) {
      for (const auto& [stage, value] : ms->items()) stages.read(stage, out.ms[stage]);
    }
  }
  fields.read("judge_version", out.judge_version);
  read_extra_fields(fields, out, error);
  if (!error.empty()) return base::Failure{"verdict: " + error};
  return out;
}

}  // namespace tritonrl::record
