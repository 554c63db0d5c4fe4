#include "model/adapter.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "model/adapter_base.h"
#include "model/save_model.h"
#include "model/stored_tensor.h"
#include "tests/base/scratch_folder.h"
#include "tests/model/golden.h"
#include "weights/safetensors.h"

namespace tritonrl::model {
namespace {

at::Tensor logits_of(const Transformer& model, const PackedBatch& batch) {
  const at::NoGradGuard no_grad;
  return model.logits(model.hidden_states(batch));
}

template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "no error";
}

// The golden's adapter, copied with a change to its tensors or its config.
class ChangedAdapter {
 public:
  explicit ChangedAdapter(const Golden& golden)
      : config_(base::read_file(golden.adapter_folder() / "adapter_config.json")),
        files_(weights::open_safetensors(golden.adapter_folder() / "adapter_model.safetensors")) {
    for (const weights::TensorInfo& info : files_->list())
      tensors_.push_back({info.name, as_tensor(files_->load(info.name))});
  }

  std::vector<NamedTensor>& tensors() { return tensors_; }
  void replace_in_config(const std::string& from, const std::string& to) {
    const std::size_t at = config_.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    config_.replace(at, from.size(), to);
  }

  std::filesystem::path write() {
    std::vector<weights::TensorToWrite> out;
    for (const NamedTensor& t : tensors_) out.push_back(to_write(t.name, t.tensor));
    weights::write_safetensors(folder_.path("adapter_model.safetensors"), out);
    base::write_file_atomically(folder_.path("adapter_config.json"), config_);
    return folder_.path();
  }

 private:
  std::string config_;
  std::shared_ptr<const weights::TensorFiles> files_;
  std::vector<NamedTensor> tensors_;
  base::ScratchFolder folder_;
};

TEST(Adapter, FreshOneChangesNothingAndHasPeftsShapes) {
  const Golden golden("qwen2_tied");
  const auto model = golden.load();
  add_adapter(*model, {}, 1);
  EXPECT_LT(relative_error(logits_of(*model, golden.batch()), golden.expected("logits")), kFloatTolerance);
  for (const NamedTensor& parameter : adapter_parameters(*model)) {
    EXPECT_TRUE(parameter.tensor.requires_grad());
    const bool is_a = parameter.name.find("lora_A") != std::string::npos;
    EXPECT_EQ(parameter.tensor.size(is_a ? 0 : 1), 16);
    EXPECT_EQ(parameter.tensor.detach().abs().max().item<double>() > 0, is_a) << parameter.name;
  }
}

TEST(Adapter, SavedAndLoadedGivesTheSameLogits) {
  const Golden golden("llama_untied");
  const auto model = golden.load();
  const weights::AdapterConfig config = load_adapter(*model, golden.adapter_folder());
  base::ScratchFolder folder;
  save_adapter(*model, config, folder.path());
  const auto again = golden.load();
  load_adapter(*again, folder.path());
  EXPECT_EQ(relative_error(logits_of(*again, golden.batch()), logits_of(*model, golden.batch())), 0);
}

class MergedAdapter : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Goldens, MergedAdapter,
                         testing::Values("qwen2_untied", "llama_biases", "qwen3_tied", "qwen3_untied"),
                         [](const auto& golden) { return golden.param; });

TEST_P(MergedAdapter, MergeAndUnmerge) {
  const Golden golden(GetParam());
  const auto model = golden.load();
  load_adapter(*model, golden.adapter_folder());
  merge_adapter(*model);
  EXPECT_LT(relative_error(logits_of(*model, golden.batch()), golden.expected("adapter_logits")), kFloatTolerance);
  merge_adapter(*model);  // once is enough
  EXPECT_LT(relative_error(logits_of(*model, golden.batch()), golden.expected("adapter_logits")), kFloatTolerance);
  unmerge_adapter(*model);
  EXPECT_LT(relative_error(logits_of(*model, golden.batch()), golden.expected("adapter_logits")), kFloatTolerance);
  remove_adapter(*model);
  EXPECT_LT(relative_error(logits_of(*model, golden.batch()), golden.expected("logits")), kFloatTolerance);
}

TEST_P(MergedAdapter, IsSavedWholeAndLoadsAgain) {
  for (const bool eight_bit : {false, true}) {
    const Golden golden(GetParam());
    const auto model = golden.load({.dtype = c10::kFloat, .eight_bit = eight_bit});
    load_adapter(*model, golden.adapter_folder());
    base::ScratchFolder folder;
    save_model(*model, folder.path());
    const auto merged =
        Transformer::load(weights::open_model({weights::ModelLocation::Kind::kFolder, folder.path()}), {});
    EXPECT_FALSE(has_adapter(*merged));
    EXPECT_LT(relative_error(logits_of(*merged, golden.batch()), logits_of(*model, golden.batch())), kFloatTolerance);
  }
}

TEST(Adapter, EightBitBaseRefusesToMergeInMemory) {
  const Golden golden("llama_tied");
  const auto model = golden.load({.dtype = c10::kFloat, .eight_bit = true});
  load_adapter(*model, golden.adapter_folder());
  EXPECT_NE(error_of([&] { merge_adapter(*model); }).find("8-bit"), std::string::npos);
}

TEST(Adapter, RefusesATensorThatLandsNowhere) {
  const Golden golden("qwen2_tied");
  ChangedAdapter adapter(golden);
  adapter.tensors().push_back({"base_model.model.model.layers.7.self_attn.q_proj.lora_A.weight", at::zeros({4, 32})});
  const auto model = golden.load();
  const std::string error = error_of([&] { load_adapter(*model, adapter.write()); });
  EXPECT_NE(error.find("layers.7.self_attn.q_proj.lora_A.weight"), std::string::npos) << error;
  EXPECT_FALSE(has_adapter(*model));
}

TEST(Adapter, RefusesAMissingTensor) {
  const Golden golden("qwen2_tied");
  ChangedAdapter adapter(golden);
  const std::string missing = adapter.tensors().back().name;
  adapter.tensors().pop_back();
  const auto model = golden.load();
  const std::string error = error_of([&] { load_adapter(*model, adapter.write()); });
  EXPECT_NE(error.find(missing), std::string::npos) << error;
  EXPECT_FALSE(has_adapter(*model));
}

TEST(Adapter, RefusesAWrongShape) {
  const Golden golden("qwen2_tied");
  ChangedAdapter adapter(golden);
  adapter.tensors()[0].tensor = at::zeros({4, 33});
  const auto model = golden.load();
  const std::string error = error_of([&] { load_adapter(*model, adapter.write()); });
  EXPECT_NE(error.find("[4, 33]"), std::string::npos) << error;
  EXPECT_FALSE(has_adapter(*model));
}

TEST(Adapter, RefusesATargetThatTheModelDoesNotHave) {
  const Golden golden("qwen2_tied");
  const auto model = golden.load();
  const std::string error = error_of([&] { add_adapter(*model, {.target_modules = {"q_proj", "c_attn"}}, 1); });
  EXPECT_NE(error.find("c_attn"), std::string::npos) << error;
  ChangedAdapter adapter(golden);
  adapter.replace_in_config("\"q_proj\"", "\"c_attn\"");
  EXPECT_NE(error_of([&] { load_adapter(*model, adapter.write()); }), "no error");
  EXPECT_FALSE(has_adapter(*model));
}

TEST(Adapter, RefusesOtherBaseWeightsOfTheSameShape) {
  const auto model = small_random_model(1);
  weights::AdapterConfig config;
  add_adapter(*model, config, 1);
  base::ScratchFolder folder;
  save_adapter(*model, config, folder.path());
  const auto other = small_random_model(2);
  const std::string error = error_of([&] { load_adapter(*other, folder.path()); });
  EXPECT_NE(error.find("other base weights"), std::string::npos) << error;
  EXPECT_FALSE(has_adapter(*other));
  load_adapter(*other, folder.path(), {.any_base = true});
  EXPECT_TRUE(has_adapter(*other));
}

TEST(Adapter, TellsWhereTheNamesOfTheBasesDoNotAgree) {
  const auto told = [](const std::string& made_for, const std::string& own) {
    return compare_bases({.fingerprint = {}, .name = made_for}, {.fingerprint = "f", .name = own}, "adapter");
  };
  EXPECT_EQ(told("Qwen/Qwen2.5-0.5B", "qwen/qwen2.5-0.5b"), "");
  EXPECT_EQ(told("Qwen/Qwen2.5-0.5B", "/models/Qwen2.5-0.5B/"), "");
  EXPECT_EQ(told("Qwen/Qwen2.5-0.5B", "/models/qwen2.5-0.5b-q4_1.gguf"), "");
  EXPECT_EQ(told("", "/models/other"), "") << "it names none";
  for (const char* own :
       {"/models/Qwen2.5-0.5B-Instruct", "/models/other", "/models/qwen2.5-0.5b-instruct.Q8_0.gguf"}) {
    const std::string doubt = told("Qwen/Qwen2.5-0.5B", own);
    EXPECT_NE(doubt.find("made for Qwen/Qwen2.5-0.5B and is used with " + std::string(own)), std::string::npos)
        << doubt;
  }
  const std::string error = error_of([&] { told("Qwen/Qwen2.5-0.5B", "Qwen/Qwen2.5-0.5B-Instruct"); });
  EXPECT_NE(error.find("was made for Qwen/Qwen2.5-0.5B, this model is Qwen/Qwen2.5-0.5B-Instruct"), std::string::npos);
  EXPECT_NE(error.find("--any-base"), std::string::npos) << error;
}

// PEFT leaves no fingerprint: the name of the base is all there is.
TEST(Adapter, WarnsOfAnotherBaseOfTheSameShape) {
  const Golden golden("qwen2_tied");
  ChangedAdapter adapter(golden);
  base::Json config = base::Json::parse(base::read_file(golden.adapter_folder() / "adapter_config.json"));
  const std::string before = config["base_model_name_or_path"].dump();
  adapter.replace_in_config(before, "\"someone/else\"");
  const std::filesystem::path folder = adapter.write();
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& doubt) { warnings.push_back(doubt); };
  load_adapter(*golden.load(), folder, {.warn = warn});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("made for someone/else"), std::string::npos) << warnings[0];
  load_adapter(*golden.load(), folder, {.any_base = true, .warn = warn});
  EXPECT_EQ(warnings.size(), 1u);
}

TEST(Adapter, RefusesValuesThatAreNotFinite) {
  const Golden golden("qwen2_tied");
  ChangedAdapter adapter(golden);
  adapter.tensors()[1].tensor = adapter.tensors()[1].tensor.clone();
  adapter.tensors()[1].tensor[0][0] = std::numeric_limits<float>::quiet_NaN();
  const std::string error = error_of([&] { load_adapter(*golden.load(), adapter.write()); });
  EXPECT_NE(error.find(adapter.tensors()[1].name + " holds NaN or infinity (1 of "), std::string::npos) << error;
}

TEST(Adapter, FingerprintIsTheSameInEveryTypeAndAfterQuantisation) {
  const Golden golden("qwen2_tied");
  const std::string fingerprint = golden.load()->fingerprint();
  EXPECT_EQ(golden.load({.dtype = c10::kBFloat16})->fingerprint(), fingerprint);
  EXPECT_EQ(golden.load({.dtype = c10::kHalf})->fingerprint(), fingerprint);
  EXPECT_EQ(golden.load({.dtype = c10::kFloat, .eight_bit = true})->fingerprint(), fingerprint);
  EXPECT_EQ(small_random_model(4, {.dtype = c10::kHalf})->fingerprint(), small_random_model(4)->fingerprint());
  EXPECT_NE(Golden("llama_tied").load()->fingerprint(), fingerprint);
}

TEST(Adapter, DropoutActsWhileTrainingOnly) {
  const Golden golden("qwen2_tied");
  const auto model = golden.load();
  load_adapter(*model, golden.adapter_folder());
  const at::NoGradGuard no_grad;
  const PackedBatch batch = golden.batch();
  const at::Tensor quiet = model->hidden_states(batch);
  EXPECT_EQ(relative_error(model->hidden_states(batch), quiet), 0);
  EXPECT_GT(relative_error(model->hidden_states(batch, {.training = true, .sink = {}}), quiet), 1e-4);
}

}  // namespace
}  // namespace tritonrl::model
