#include "optimize/delivery.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "syntax/plain_form.h"
#include "tests/base/scratch_folder.h"
#include "tests/optimize/scripted.h"

namespace tritonrl::optimize {
namespace {

Subject subject_of(const std::string& place, const std::string& cls) {
  Subject out;
  out.place = place;
  out.entry_point = cls;
  out.source = "class Net: pass\n";
  out.inputs_from = kGiven;
  out.mode = "training";
  return out;
}

Optimized found(const std::string& code) {
  Optimized out;
  out.task = {.id = "Net", .source = "torch.rand([8])", .entry_point = "Net"};
  ReadingJudge judge;
  out.tried.push_back({.candidate = {.source = "teacher, fast", .code = code},
                       .verdict = judge.judge({.id = "", .task = out.task, .code = code}),
                       .failed_at = {}});
  out.winner = 0;
  return out;
}

TEST(Delivery, IsNamedAfterTheFileOrTheClass) {
  const base::ScratchFolder folder;
  base::write_file_atomically(folder.path("MyNet.py"), "x = 1\n");
  EXPECT_EQ(delivery_of(subject_of(folder.path("MyNet.py"), "Net"), "").code, "my_net_optimized.py");
  const Delivery named = delivery_of(subject_of(folder.path("MyNet.py") + ":GatedMLPBlock2d", "GatedMLPBlock2d"), "");
  EXPECT_EQ(named.code, "gated_mlp_block2d_optimized.py");
  EXPECT_EQ(named.proof, "gated_mlp_block2d_optimized.json");
  EXPECT_EQ(named.module_name, "gated_mlp_block2d_optimized");
}

TEST(Delivery, OverwritesNothingOfTheUsers) {
  const base::ScratchFolder folder;
  const Subject subject = subject_of("net.py", "Net");
  const std::string file = folder.path("net.py");
  base::write_file_atomically(file, "import torch\n");
  EXPECT_THROW(delivery_of(subject, file), base::UserError);
  EXPECT_THROW(delivery_of(subject, folder.path("net.txt")), base::UserError);
  EXPECT_THROW(delivery_of(subject, folder.path()), base::UserError);
  base::write_file_atomically(folder.path("settings.json"), "{}");
  EXPECT_THROW(delivery_of(subject, folder.path("settings.py")), base::UserError) << "its proof would lie there";
  const Delivery fresh = delivery_of(subject, folder.path("fast.py"));
  base::write_file_atomically(fresh.code, delivered_code(subject, found("# speed 2.0\nx = 1\n"), fresh, ""));
  EXPECT_EQ(delivery_of(subject, folder.path("fast.py")).code, fresh.code) << "its own earlier result";
}

TEST(Delivery, TheFileIsTheCodeThatWasJudgedWithWordsOnTop) {
  Subject subject = subject_of("some\"\"\"where\\net.py", "Net");
  subject.shown_inputs = "\"\"\"";
  const std::string code =
      "from __future__ import annotations\n# speed 2.0\nimport torch\n\nclass ModelNew:\n    pass\n";
  const Optimized optimized = found(code);
  const Delivery delivery = delivery_of(subject, "fast.py");
  const std::string file = delivered_code(subject, optimized, delivery, "it has no gate.weight");
  EXPECT_EQ(syntax::plain_text(file), syntax::plain_text(code)) << file;
  EXPECT_NE(file.find("from fast import ModelNew"), std::string::npos);
  EXPECT_NE(file.find("2.00 times eager torch (modelled on h200: 100.0 us to 50.0 us)"), std::string::npos) << file;
  EXPECT_NE(file.find("it has no gate.weight"), std::string::npos);
  EXPECT_EQ(file.find("load_state_dict"), std::string::npos);
  EXPECT_NE(delivered_code(subject, optimized, delivery, "").find("load_state_dict"), std::string::npos);
  Delivery numbered = delivery;
  numbered.module_name = "19_ReLU";
  EXPECT_NE(delivered_code(subject, optimized, numbered, "").find("importlib.import_module('19_ReLU')"),
            std::string::npos);

  const base::Json proof = proof_json(subject, optimized, file, "");
  EXPECT_EQ(proof.at("winner").at("file_sha256").text(), base::sha256(file));
  EXPECT_EQ(proof.at("winner").at("code_sha256").text(), base::sha256(code));
  EXPECT_EQ(proof.at("winner").at("verdict").at("kind").text(), "passed");
  EXPECT_EQ(proof.at("task_sha256").text(), base::sha256(optimized.task.source));
  EXPECT_EQ(proof.at("candidates").at(0).at("speedup").real(), 2);
  Optimized none = optimized;
  none.winner.reset();
  EXPECT_TRUE(proof_json(subject, none, "", "").at("winner").is_null());
}

}  // namespace
}  // namespace tritonrl::optimize
