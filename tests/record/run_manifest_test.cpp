#include "record/run_manifest.h"

#include <gtest/gtest.h>

namespace tritonrl::record {
namespace {

RunManifest a_manifest() {
  RunManifest manifest;
  manifest.name = "sft-1";
  manifest.command = {"tritonrl", "train", "--name", "sft-1"};
  manifest.options = {{"learning_rate", 1e-5}, {"data", {{"folder", "data/processed"}}}};
  manifest.versions = {.program = "0.1", .torch = "2.13.0", .judge = ""};
  manifest.data = {{"sft_train.jsonl", "ab12"}};
  manifest.started = "2026-11-16T15:00:00Z";
  return manifest;
}

TEST(RunManifest, ComesBack) {
  RunManifest manifest = a_manifest();
  for (const char* finished : {"", "2026-11-16T16:00:00Z"}) {
    manifest.finished = finished;
    const base::Result<RunManifest> read = run_manifest_from_json(to_json(manifest));
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value(), manifest);
  }
}

TEST(RunManifest, TellsWhatIsWrong) {
  EXPECT_EQ(run_manifest_from_json("{}").error(), "manifest: name is missing");
  base::Json json = base::Json::parse(to_json(a_manifest()));
  json["versions"]["torch"] = 2;
  EXPECT_EQ(run_manifest_from_json(json.dump()).error(), "manifest: versions.torch is not a string");
  json["versions"]["torch"] = "2";
  json["data"]["sft_train.jsonl"] = base::Json();
  EXPECT_EQ(run_manifest_from_json(json.dump()).error(), "manifest: data.sft_train.jsonl is not a string");
}

}  // namespace
}  // namespace tritonrl::record
