#include "train/loop.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/subprocess.h"
#include "model/adapter.h"
#include "tests/base/scratch_folder.h"
#include "tests/hub/http_server.h"
#include "tests/model/golden.h"
#include "tests/paths.h"
#include "tests/train/small_data.h"
#include "text/tokenizer/tokenizer_json.h"
#include "weights/model_files.h"

namespace tritonrl::train {
namespace {

namespace fs = std::filesystem;

// A small run in a folder of its own, of which each call of go() is one life of the process.
class SmallRun {
 public:
  explicit SmallRun(bool lora, OptimizerKind kind = OptimizerKind::kAdamW) : lora_(lora) {
    few_threads();
    options.epochs = 2;
    options.batch_tokens = 128;
    options.pass_tokens = 64;
    options.schedule.learning_rate = 1e-2;
    options.optimizer.kind = kind;
    options.save_minutes = 0;
    options.seed = 3;
    fs::create_directories(tokenizer());
    base::write_file_atomically(tokenizer() / "tokenizer.json", text::tokenizer_json(maker.text().tokenizer.parts()));
    base::write_file_atomically(
        tokenizer() / "tokenizer_config.json",
        text::tokenizer_config_json({.eos_token = "<|im_end|>", .chat_template = maker.text().chat_template}));
  }

  // Stops behind so many steps of this life; 0: when it is done.
  StageOutcome go(int life = 0) {
    const std::optional<fs::path> from = newest_checkpoint(checkpoints(), "sft", options.mirror,
                                                           [&](const std::string& text) { warnings.push_back(text); });
    if (lora_) {
      model = model::small_random_model(3);
      if (from) {
        model::load_adapter(*model, *from, {.trainable = true});
      } else {
        model::add_adapter(*model, adapter, 5);
      }
    } else {
      model = from ? model::Transformer::load(weights::open_model({weights::ModelLocation::Kind::kFolder, *from}),
                                              {.dtype = at::kFloat, .trainable = true})
                   : model::small_random_model(3, {.trainable = true});
    }
    const auto alone = single_process();
    record::RunManifest manifest;
    manifest.name = "test";
    int steps = 0;
    const Stage stage{.name = "sft",
                      .checkpoints = checkpoints(),
                      .run = run(),
                      .options = options,
                      .model = *model,
                      .adapter = lora_ ? std::optional(adapter) : std::nullopt,
                      .tokenizer = tokenizer(),
                      .maker = maker,
                      .sources = {{source, 1}},
                      .steps = count_steps({source, 1}, options.seed, options.epochs, {.bins = 2, .capacity = 64}),
                      .from = from,
                      .manifest = manifest,
                      .communicator = *alone,
                      .stop_requested = [&] { return life > 0 && ++steps >= life; }};
    return run_stage(stage);
  }

  record::CheckpointFolder checkpoints() const { return {fs::path(folder.path("checkpoints"))}; }
  fs::path run() const { return folder.path("run"); }
  fs::path tokenizer() const { return folder.path("tokenizer"); }
  std::string result() const {
    return base::read_file(checkpoints().final_of("sft") / (lora_ ? "adapter_model.safetensors" : "model.safetensors"));
  }
  std::vector<base::Json> metrics() const {
    std::ifstream file(run() / "metrics.jsonl");
    std::vector<base::Json> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(*base::Json::try_parse(line));
    return lines;
  }

  base::ScratchFolder folder;
  TrainOptions options;
  weights::AdapterConfig adapter{.r = 4, .alpha = 8, .dropout = 0.2};
  ExampleMaker maker{byte_text(), {}};
  std::shared_ptr<FewExamples> source = std::make_shared<FewExamples>(random_examples(40, 6));
  std::unique_ptr<model::Transformer> model;
  std::vector<std::string> warnings;

 private:
  bool lora_;
};

std::vector<double> losses_of(const std::vector<base::Json>& metrics) {
  std::vector<double> losses;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    EXPECT_EQ(metrics[i].at("step").integer(), static_cast<std::int64_t>(i + 1));
    losses.push_back(metrics[i].at("loss").real());
  }
  return losses;
}

TEST(Loop, ARunOfManyLivesIsBitForBitTheUndisturbedOne) {
  for (const auto& [lora, kind] : {std::pair{true, OptimizerKind::kAdamW}, std::pair{false, OptimizerKind::kAdamW},
                                   std::pair{false, OptimizerKind::kMuon}}) {
    SmallRun whole(lora, kind), torn(lora, kind);
    const StageOutcome done = whole.go();
    EXPECT_TRUE(done.finished);
    ASSERT_GT(done.step, 10);
    EXPECT_EQ(torn.go(3).step, 3);
    EXPECT_EQ(torn.go(1).step, 4);
    EXPECT_FALSE(torn.go(5).finished);
    EXPECT_TRUE(torn.go().finished);
    EXPECT_EQ(whole.result(), torn.result());
    EXPECT_EQ(losses_of(whole.metrics()), losses_of(torn.metrics()));
  }
}

TEST(Loop, StepsBehindTheLastCheckpointAreDoneAgain) {
  SmallRun whole(true), torn(true);
  whole.go();
  torn.options.save_every = 4;
  torn.go(9);
  // the process dies at step 9, and what it saved on the way out never reached the disk
  fs::remove_all(torn.checkpoints().step("sft", 9));
  EXPECT_TRUE(torn.go().finished);
  EXPECT_EQ(whole.result(), torn.result());
  EXPECT_EQ(losses_of(whole.metrics()), losses_of(torn.metrics()));
}

TEST(Loop, ADamagedCheckpointIsPassedOverAndTold) {
  SmallRun whole(true), torn(true);
  whole.go();
  torn.options.save_every = 2;
  torn.go(4);
  const fs::path newest = torn.checkpoints().step("sft", 4) / "optimizer.safetensors";
  std::string bytes = base::read_file(newest);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  base::write_file_atomically(newest, bytes);
  EXPECT_TRUE(torn.go().finished);
  ASSERT_EQ(torn.warnings.size(), 1U);
  EXPECT_NE(torn.warnings[0].find("optimizer.safetensors has other bytes"), std::string::npos);
  EXPECT_EQ(whole.result(), torn.result());
}

TEST(Loop, NoWholeCheckpointIsAnErrorAndNotANewBeginning) {
  SmallRun torn(true);
  torn.go(2);
  fs::remove(torn.checkpoints().step("sft", 2) / "adapter_model.safetensors");
  EXPECT_THROW(torn.go(), base::UserError);
}

TEST(Loop, KeepsTheNewestCheckpointsAndAMirrorOfThem) {
  SmallRun run(true);
  run.options.save_every = 1;
  run.options.keep = 2;
  run.options.mirror = run.folder.path("mirror");
  run.go(5);
  EXPECT_EQ(run.checkpoints().steps("sft"), (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ((record::CheckpointFolder{run.options.mirror}.steps("sft")), (std::vector<std::int64_t>{4, 5}));
  // the machine is lost, its mirror is not
  fs::remove_all(run.checkpoints().folder);
  EXPECT_EQ(run.go(1).step, 6);
}

TEST(Loop, AMirrorThatCannotBeWrittenIsToldAndNothingElse) {
  SmallRun run(true);
  base::write_file_atomically(run.folder.path("file"), "x");
  run.options.mirror = run.folder.path("file/mirror");
  EXPECT_TRUE(run.go().finished);
  EXPECT_NE(base::read_file(run.run() / "training.log").find("the mirror got no copy"), std::string::npos);
}

TEST(Loop, TheResultHoldsWhatItsReadersExpect) {
  SmallRun lora(true);
  lora.go();
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(lora.checkpoints().final_of("sft")))
    names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"adapter_config.json", "adapter_model.safetensors", "checkpoint.json",
                                          "tokenizer.json", "tokenizer_config.json"}));
  const auto fresh = model::small_random_model(3);
  model::load_adapter(*fresh, lora.checkpoints().final_of("sft"));
  const at::NoGradGuard no_grad;
  const auto batch = batch_of(random_examples(2, 1)).batch;
  EXPECT_TRUE(at::equal(fresh->hidden_states(batch), lora.model->hidden_states(batch)));
  EXPECT_TRUE(fs::exists(lora.run() / "manifest.json"));
  EXPECT_TRUE(fs::exists(lora.run() / "training.log"));
}

TEST(Loop, ASpotNoticeSavesAndStops) {
  SmallRun run(true);
  run.options.spot_notice = run.folder.path("notice");
  base::write_file_atomically(run.options.spot_notice, "soon");
  const StageOutcome outcome = run.go();
  EXPECT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.step, 1);
  EXPECT_EQ(run.checkpoints().steps("sft"), std::vector<std::int64_t>{1});
}

TEST(Loop, ASpotNoticeOfAnAddressSavesAndStops) {
  const hub::HttpServer server([](const hub::ServedRequest&) { return hub::ServedAnswer{.status = 200}; });
  SmallRun run(true);
  run.options.spot_notice = server.address() + "/notice";
  const StageOutcome outcome = run.go();
  EXPECT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.why, "the notice " + run.options.spot_notice);
  EXPECT_EQ(run.checkpoints().steps("sft"), std::vector<std::int64_t>{1});
}

// A run that was killed behind its checkpoint: what was done again is there once.
TEST(Loop, TensorBoardShowsTheMetricsOfEveryStepOnce) {
  SmallRun run(true);
  run.options.save_every = 3;
  run.options.peak_tflops = 0.001;
  run.go(5);
  fs::remove_all(run.checkpoints().step("sft", 5));
  EXPECT_TRUE(run.go().finished);
  const std::vector<base::Json> lines = run.metrics();
  for (const char* name :
       {"loss", "gradient_norm", "learning_rate", "tokens", "tokens_per_second", "mfu", "memory_bytes"})
    EXPECT_TRUE(lines.at(0).at(name).real() > 0) << name;
  EXPECT_NEAR(lines[0].at("mfu").real() * 1e9, lines[0].at("flops_per_second").real(), 1);
  const base::CommandResult read =
      base::run_command({test_python(), "-B", source_path("tests/track/read_events.py"), run.run().string()});
  if (read.exit_code == 77) GTEST_SKIP() << "no TensorBoard in " << test_python();
  ASSERT_EQ(read.exit_code, 0) << read.errors;
  const base::Json scalars = base::Json::parse(read.output).at("scalars");
  ASSERT_EQ(scalars.at("loss").size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(scalars.at("loss")[i][0].integer(), lines[i].at("step").integer());
    EXPECT_FLOAT_EQ(scalars.at("loss")[i][1].real(), lines[i].at("loss").real());
  }
}

// What the error says that a run ends with.
std::string complaint(SmallRun& run) {
  try {
    run.go();
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Loop, OtherOptionsDoNotGoOn) {
  SmallRun run(true);
  run.go(2);
  run.options.schedule.learning_rate = 0.5;
  EXPECT_NE(complaint(run).find("learning_rate"), std::string::npos) << complaint(run);
  run.options.schedule.learning_rate = 1e-2;
  run.options.keep = 7;  // changes no weight
  EXPECT_EQ(complaint(run), "");
}

TEST(Loop, AFinishedRunSaysThatNothingIsLeft) {
  SmallRun run(true);
  run.go();
  EXPECT_NE(complaint(run).find("nothing to train"), std::string::npos);
  // but a result that was lost is written again
  const std::string before = run.result();
  fs::remove_all(run.checkpoints().final_of("sft"));
  EXPECT_EQ(complaint(run), "");
  EXPECT_EQ(run.result(), before);
}

TEST(Loop, StopsWhereNothingChanges) {
  SmallRun run(true);
  run.options.schedule.learning_rate = 0;
  EXPECT_NE(complaint(run).find("changed no parameter"), std::string::npos);
  EXPECT_NE(base::read_file(run.run() / "training.log").find("failed: "), std::string::npos);
  EXPECT_TRUE(run.checkpoints().steps("sft").empty());
}

TEST(Loop, StopsAtALossThatIsNotFiniteAndKeepsTheLastGoodCheckpoint) {
  SmallRun run(true);
  run.options.save_every = 1;
  run.options.schedule.learning_rate = 1e30;
  EXPECT_NE(complaint(run).find("Lower --learning-rate"), std::string::npos);
  // what was kept was kept before: all metrics that are there are finite
  for (const double loss : losses_of(run.metrics())) EXPECT_TRUE(std::isfinite(loss));
}

TEST(Loop, StopsWhereNoEndOfTurnIsALabel) {
  SmallRun run(true);
  std::vector<Example> examples = random_examples(40, 6);
  for (Example& example : examples) example.tokens.back() = 9;
  run.source = std::make_shared<FewExamples>(examples);
  EXPECT_NE(complaint(run).find("is never a label"), std::string::npos);
}

TEST(Loop, StopsWhereNothingIsLabelled) {
  SmallRun run(true);
  std::vector<Example> examples = random_examples(40, 6);
  for (Example& example : examples) example.prompt = example.length();
  run.source = std::make_shared<FewExamples>(examples);
  EXPECT_NE(complaint(run).find("no labelled token"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl::train
