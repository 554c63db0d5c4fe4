#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "weights/block_modules.h"
#include "weights/gguf_model.h"
#include "weights/mapped_tensors.h"
#include "weights/model_family.h"

namespace tritonrl::weights {
namespace {

// llama.cpp turns neighbouring pairs of a head's elements, transformers the first half against the second: its
// converter therefore wove the two halves of each head's rows together. Where row `row` of Hugging Face's order lies in
// the file.
std::size_t row_in_file(std::size_t row, std::size_t head_rows) {
  const std::size_t head = row / head_rows, inside = row % head_rows, half = head_rows / 2;
  return head * head_rows + inside % half * 2 + inside / half;
}

class GgufTensors : public TensorFiles {
 public:
  GgufTensors(const GgufFile& file, const ModelConfig& config, std::shared_ptr<const void> bytes)
      : where_(file.where()), bytes_(std::move(bytes)) {
    for (const GgufTensor& tensor : file.tensors()) add(file, config, tensor);
    std::sort(stored_.begin(), stored_.end(),
              [](const Stored& a, const Stored& b) { return a.info.name < b.info.name; });
    for (const Stored& stored : stored_) list_.push_back(stored.info);
  }

  const std::vector<TensorInfo>& list() const override { return list_; }
  std::string where() const override { return where_; }

  StoredTensor load(std::string_view name) const override {
    const TensorInfo* const info = find(name);
    if (info == nullptr) no_such_tensor(*this, name);
    const Stored& stored = stored_[static_cast<std::size_t>(info - list_.data())];
    if (is_quantised(stored.type)) return unpacked(stored);
    if (stored.head_rows != 0) return reordered(stored, stored.data, size_of(info->dtype));
    if (!is_aligned(stored.data, info->dtype)) return copied_tensor(*info, stored.data);
    return {.info = *info, .data = stored.data, .owner = bytes_};
  }

 private:
  struct Stored {
    TensorInfo info;
    GgufType type = GgufType::kF32;
    std::size_t head_rows = 0;  // 0: the rows are in Hugging Face's order already
    std::span<const std::byte> data;
  };

  void add(const GgufFile& file, const ModelConfig& config, const GgufTensor& tensor) {
    if (tensor.name == "rope_freqs.weight") return;  // read into the config
    const std::string quoted = "tensor \"" + shown(tensor.name) + "\"";
    const std::optional<std::string> name = hugging_face_name(tensor.name, config);
    if (!name)
      file.fail(quoted + " has no place in a model of this architecture; leaving it out would change the result");
    if (tensor.name.starts_with("blk.") &&
        std::stoll(std::string(tensor.name.substr(4, 4))) >= config.num_hidden_layers) {
      file.fail(quoted + " belongs to a layer beyond the " + std::to_string(config.num_hidden_layers) +
                " of the model");
    }
    Stored stored{.info = {.name = *name, .dtype = loaded_dtype(tensor.type), .shape = tensor.shape},
                  .type = tensor.type,
                  .head_rows = 0,
                  .data = tensor.data};
    const bool q = tensor.name.find(".attn_q.") != std::string_view::npos;
    const bool k = tensor.name.find(".attn_k.") != std::string_view::npos;
    if (family_of(config).gguf_weaves_heads && (q || k)) {
      const std::int64_t heads = q ? config.num_attention_heads : config.num_key_value_heads;
      if (tensor.shape[0] != heads * config.head_dim) {
        file.fail(quoted + " has " + std::to_string(tensor.shape[0]) + " rows; expected " + std::to_string(heads) +
                  " heads of " + std::to_string(config.head_dim));
      }
      stored.head_rows = static_cast<std::size_t>(config.head_dim);
    }
    stored_.push_back(std::move(stored));
  }

  static std::size_t elements_of(const TensorInfo& info) {
    std::size_t elements = 1;
    for (const std::int64_t size : info.shape) elements *= static_cast<std::size_t>(size);
    return elements;
  }

  static StoredTensor unpacked(const Stored& stored) {
    const std::size_t elements = elements_of(stored.info), rows = static_cast<std::size_t>(stored.info.shape[0]);
    const std::shared_ptr<float[]> memory(new float[elements]);
    const std::span<float> values(memory.get(), elements);
    const StoredTensor whole{
        .info = stored.info, .data = std::as_bytes(std::span<const float>(values)), .owner = memory};
    if (stored.head_rows == 0 || stored.info.shape.size() == 1) {
      unpack_blocks(stored.type, stored.data, values);
      return stored.head_rows == 0 ? whole : reordered(stored, whole.data, sizeof(float));
    }
    const std::size_t row_values = elements / rows, row_bytes = stored.data.size() / rows;
    for (std::size_t row = 0; row < rows; ++row) {
      unpack_blocks(stored.type, stored.data.subspan(row_in_file(row, stored.head_rows) * row_bytes, row_bytes),
                    values.subspan(row * row_values, row_values));
    }
    return whole;
  }

  static StoredTensor reordered(const Stored& stored, std::span<const std::byte> from, std::size_t element_bytes) {
    const std::size_t rows = static_cast<std::size_t>(stored.info.shape[0]);
    const std::size_t row_bytes = elements_of(stored.info) / rows * element_bytes;
    TRL_CHECK(rows * row_bytes == from.size(), "rows of equal length");
    const std::shared_ptr<std::byte[]> memory(new std::byte[from.size()]);
    for (std::size_t row = 0; row < rows; ++row) {
      std::memcpy(memory.get() + row * row_bytes, from.data() + row_in_file(row, stored.head_rows) * row_bytes,
                  row_bytes);
    }
    return {.info = stored.info, .data = {memory.get(), from.size()}, .owner = memory};
  }

  std::string where_;
  std::shared_ptr<const void> bytes_;
  std::vector<Stored> stored_;
  std::vector<TensorInfo> list_;
};

}  // namespace

std::shared_ptr<const TensorFiles> gguf_tensors(const GgufFile& file, const ModelConfig& config,
                                                std::shared_ptr<const void> bytes) {
  return std::make_shared<GgufTensors>(file, config, std::move(bytes));
}

}  // namespace tritonrl::weights
