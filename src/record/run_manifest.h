#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::record {

// What a run was: written beside its results when it starts and again when it ends, so that they can be told from
// those of another run and made again.
struct RunManifest {
  struct Versions {
    std::string program, torch, judge;  // empty: it took no part
    void fields(base::FieldVisitor& field);
    bool operator==(const Versions&) const = default;
  };
  std::string name;
  std::vector<std::string> command;           // program and arguments
  base::Json options = base::Json::object();  // all of them, those that were not given too
  Versions versions;
  std::map<std::string, std::string> data;  // sha256 of what was read, by file name
  std::string started;                      // UTC: "2026-11-16T15:00:00Z"
  std::string finished;                     // empty: it was stopped, or goes on
  void fields(base::FieldVisitor& field);
  bool operator==(const RunManifest&) const = default;
};

std::string to_json(const RunManifest& manifest);  // indented, for a file of its own
base::Result<RunManifest> run_manifest_from_json(std::string_view text);

}  // namespace tritonrl::record
