#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "base/error.h"
#include "base/files.h"
#include "model/stored_tensor.h"
#include "model/transformer.h"
#include "tests/base/scratch_folder.h"
#include "tests/paths.h"
#include "weights/model_files.h"
#include "weights/safetensors.h"

namespace tritonrl::model {
namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, at::Tensor>;

// What is said about a golden's model after `edit` of its tensors; empty if it loads.
std::string complaint(const std::string& golden, const std::function<void(Tensors&)>& edit,
                      const ModelOptions& options = {}) {
  const fs::path folder = source_path("tests/model/goldens/" + golden);
  const base::ScratchFolder changed;
  const auto files = weights::open_safetensors(folder / "model.safetensors");
  Tensors tensors;
  for (const weights::TensorInfo& info : files->list()) tensors[info.name] = as_tensor(files->load(info.name)).clone();
  edit(tensors);
  std::vector<weights::TensorToWrite> out;
  for (const auto& [name, tensor] : tensors) out.push_back(to_write(name, tensor));
  weights::write_safetensors(changed.path("model.safetensors"), out);
  fs::copy_file(folder / "config.json", changed.path("config.json"));
  try {
    Transformer::load(weights::open_model({weights::ModelLocation::Kind::kFolder, changed.path()}), options);
    return "";
  } catch (const base::UserError& error) {
    return error.what();
  }
}

void expect_complaint(const std::string& golden, const std::string& part, const std::function<void(Tensors&)>& edit) {
  const std::string message = complaint(golden, edit);
  EXPECT_NE(message.find("model.safetensors: "), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

constexpr const char* kMatrix = "model.layers.1.mlp.down_proj.weight";

TEST(Load, NamesATensorOfIntegers) {
  EXPECT_EQ(complaint("qwen2_tied", [](Tensors&) {}), "");
  EXPECT_EQ(complaint("qwen2_tied", [](Tensors& t) { t[kMatrix] = t[kMatrix].to(at::kDouble); }), "");
  for (const auto& [type, name] : {std::pair{at::kChar, "I8"}, {at::kLong, "I64"}}) {
    expect_complaint("qwen2_tied", std::string(kMatrix) + " is of type " + name,
                     [type = type](Tensors& t) { t[kMatrix] = t[kMatrix].to(type); });
    expect_complaint("qwen2_tied", "model.norm.weight is of type",
                     [type = type](Tensors& t) { t["model.norm.weight"] = t["model.norm.weight"].to(type); });
  }
}

TEST(Load, NamesATensorThatIsNotFinite) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    expect_complaint("qwen2_tied", std::string(kMatrix) + " holds NaN or infinity (1 of ",
                     [bad](Tensors& t) { t[kMatrix][1][2] = bad; });
  }
  const auto large = [](Tensors& t) { t[kMatrix][1][2] = 1e6; };
  EXPECT_EQ(complaint("qwen2_tied", large), "");
  EXPECT_NE(complaint("qwen2_tied", large, {.dtype = at::kHalf})
                .find(std::string(kMatrix) + " holds values that are too large for Half"),
            std::string::npos);
  // large values whose sum is too large are values
  EXPECT_EQ(complaint("qwen2_tied", [](Tensors& t) { t[kMatrix] = at::ones(t[kMatrix].sizes()) * 3e38; }), "");
}

// transformers 4 and 5 do not agree on such a file.
TEST(Load, RefusesAHeadThatIsTiedAndAnotherOne) {
  constexpr const char *kHead = "lm_head.weight", *kEmbedding = "model.embed_tokens.weight";
  EXPECT_EQ(complaint("qwen2_tied", [](Tensors& t) { t[kHead] = t[kEmbedding].clone(); }), "");
  EXPECT_EQ(complaint("llama_untied", [](Tensors& t) { t[kHead] += 1; }), "");
  expect_complaint("qwen2_tied", "lm_head.weight differs from model.embed_tokens.weight", [](Tensors& t) {
    t[kHead] = t[kEmbedding].clone();
    t[kHead][0][0] += 1;
  });
}

}  // namespace
}  // namespace tritonrl::model
