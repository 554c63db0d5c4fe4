#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/subprocess.h"
#include "model/adapter.h"
#include "model/save_model.h"
#include "model/stored_tensor.h"
#include "tests/base/scratch_folder.h"
#include "tests/model/golden.h"
#include "tests/paths.h"
#include "weights/safetensors.h"

// What transformers and peft make of our files. Needs TRITONRL_REFERENCE_PYTHON, a Python that has them.
namespace tritonrl::model {
namespace {

class Reference : public testing::TestWithParam<std::string> {};

TEST_P(Reference, LoadsOurModelOurAdapterAndOurMergedModel) {
  const char* python = std::getenv("TRITONRL_REFERENCE_PYTHON");
  if (!python) GTEST_SKIP() << "TRITONRL_REFERENCE_PYTHON is not set";
  const Golden golden(GetParam());
  const auto model = golden.load();
  base::ScratchFolder folder;
  const at::NoGradGuard no_grad;
  save_model(*model, folder.path("model"));
  weights::AdapterConfig config;
  config.base_model = folder.path("model");
  add_adapter(*model, config, 5);
  const at::Generator generator = at::detail::createCPUGenerator(11);
  for (const NamedTensor& parameter : adapter_parameters(*model)) {
    at::Tensor tensor = parameter.tensor;
    tensor.normal_(0, 0.1, generator);
  }
  save_adapter(*model, config, folder.path("adapter"));
  save_model(*model, folder.path("merged"));
  const PackedBatch batch = golden.batch();
  weights::write_safetensors(folder.path("ours.safetensors"),
                             {to_write("tokens", batch.tokens), to_write("lengths", golden.expected("lengths")),
                              to_write("logits", model->logits(model->hidden_states(batch)))});
  const auto result = base::run_command({python, source_path("tests/model/load_our_files.py"), folder.path()});
  std::cout << result.output;
  EXPECT_EQ(result.exit_code, 0) << result.errors;
}

INSTANTIATE_TEST_SUITE_P(Goldens, Reference, testing::ValuesIn(Golden::names()),
                         [](const auto& golden) { return golden.param; });

}  // namespace
}  // namespace tritonrl::model
