// A GGUF file from any bytes: its tables, and what a model and a tokenizer would read from it. UserError is an answer;
// everything else is a finding.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "text/tokenizer/tokenizer.h"
#include "weights/gguf_model.h"

using namespace tritonrl;

namespace {

template <typename Action>
void allow_user_error(const Action& action) {
  try {
    action();
  } catch (const base::UserError&) {
  }
}

void read_model(const weights::GgufFile& file, std::size_t size) {
  const weights::ModelConfig config = weights::gguf_model_config(file);
  TRL_CHECK(config.parameters() > 0, "a size without overflow");
  const auto tensors = weights::gguf_tensors(file, config, nullptr);
  std::size_t total = 0;
  for (const weights::TensorInfo& info : tensors->list()) {
    const weights::StoredTensor tensor = tensors->load(info.name);
    std::size_t bytes = weights::size_of(info.dtype);
    for (const std::int64_t length : info.shape) bytes *= static_cast<std::size_t>(length);
    TRL_CHECK(tensor.data.size() == bytes, "as many bytes as the shape says");
    total += bytes;
  }
  TRL_CHECK(total <= 8 * size, "no more than the blocks hold");
}

void read_tokenizer(const weights::GgufFile& file) {
  const text::Tokenizer tokenizer = text::Tokenizer::from_parts(weights::gguf_tokenizer_parts(file), "fuzz");
  tokenizer.decode(tokenizer.encode("hello, world 12\n  <|start|>"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  allow_user_error([&] {
    const weights::GgufFile file = weights::GgufFile::parse(std::as_bytes(std::span(data, size)), "fuzz");
    allow_user_error([&] { read_model(file, size); });
    allow_user_error([&] { read_tokenizer(file); });
  });
  return 0;
}
