#include "check/check.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "check/events.h"
#include "check/script_process.h"
#include "program/target.h"
#include "python/embedded_modules.h"
#include "python/target_json.h"

namespace tritonrl::check {
using base::Json;

Report check(const std::vector<std::filesystem::path>& scripts, const CheckOptions& options) {
  Json names = Json::array();
  for (const std::filesystem::path& script : scripts) {
    if (!std::filesystem::is_regular_file(script)) throw base::UserError("check", script.string() + ": is no file");
    names.push_back(script.string());
  }
  const Json launcher = {{"target", options.target}, {"machine", base::to_json(options.machine)}};
  const std::string boot =
      python::boot_text("check.main", Json{{"scripts", std::move(names)},
                                           {"arguments", options.arguments},
                                           {"library", options.library},
                                           {"machine", launcher},
                                           {"target", python::target_json(program::find_target(options.target))},
                                           {"quiet", options.quiet},
                                           {"script_seconds", options.script_seconds},
                                           {"all_configs", options.all_configs},
                                           {"all_sizes", options.all_sizes}}
                                          .dump());
  Report report;
  const int code = run_script_process(options.interpreter.executable, python::boot_module(), boot,
                                      [&](std::string_view line) { add_event(report, line); });
  if (code != 0)
    throw base::InfrastructureError("check", "Python ended with code " + std::to_string(code) + " beside the scripts");
  return report;
}

}  // namespace tritonrl::check
