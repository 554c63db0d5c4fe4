#include "python/source_report.h"

#include <nlohmann/json.hpp>

namespace tritonrl::python {

base::Result<SourceReport> source_report_from_json(const std::string& text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    SourceReport report{.parses = json.at("parses").get<bool>(),
                        .error = json.at("error").get<std::string>(),
                        .line = json.at("line").get<int>(),
                        .code = json.at("code").get<std::string>(),
                        .has_entry_class = json.at("has_entry_class").get<bool>(),
                        .jit_functions = {}};
    for (const auto& one : json.at("jit_functions")) {
      report.jit_functions.push_back({.name = one.at("name").get<std::string>(),
                                      .line = one.at("line").get<int>(),
                                      .real_body = one.at("real_body").get<bool>(),
                                      .referenced = one.at("referenced").get<bool>()});
    }
    return report;
  } catch (const nlohmann::json::exception& error) {
    return base::Failure{error.what()};
  }
}

}  // namespace tritonrl::python
