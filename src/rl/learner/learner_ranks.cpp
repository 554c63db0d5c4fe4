#include "rl/learner/learner_ranks.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstdint>

namespace tritonrl::rl {
namespace {

// A text's bytes in pairs, as whole numbers below 65536.
at::Tensor numbers_of(const std::string& text, std::int64_t length) {
  at::Tensor out = at::zeros({length}, at::kFloat);
  auto* number = out.mutable_data_ptr<float>();
  for (std::size_t i = 0; i < text.size(); ++i)
    number[i / 2] += static_cast<float>(static_cast<unsigned char>(text[i]) << (i % 2 == 0 ? 0 : 8));
  return out;
}

std::string text_of(const float* numbers, std::size_t bytes) {
  std::string out(bytes, 0);
  for (std::size_t i = 0; i < bytes; ++i)
    out[i] = static_cast<char>(static_cast<std::uint32_t>(numbers[i / 2]) >> (i % 2 == 0 ? 0 : 8));
  return out;
}

}  // namespace

at::Tensor LearnerRanks::rows(const at::Tensor& row) {
  at::Tensor all = at::zeros({ranks(), row.numel()}, at::TensorOptions(device_).dtype(at::kFloat));
  all.select(0, rank()).copy_(row);
  communicator_.sum(all);
  return all.to(at::kCPU);
}

std::vector<std::string> LearnerRanks::all(const std::string& mine) {
  if (ranks() == 1) return {mine};
  at::Tensor size = at::zeros({2}, at::kFloat);  // in two parts: a float counts to 2^24
  size.mutable_data_ptr<float>()[0] = static_cast<float>(mine.size() % 65536);
  size.mutable_data_ptr<float>()[1] = static_cast<float>(mine.size() / 65536);
  const at::Tensor sizes = rows(size);
  const auto* parts = sizes.const_data_ptr<float>();
  std::vector<std::size_t> bytes;
  for (int i = 0; i < ranks(); ++i)
    bytes.push_back(static_cast<std::size_t>(parts[2 * i]) + 65536 * static_cast<std::size_t>(parts[2 * i + 1]));
  const auto length = static_cast<std::int64_t>((*std::ranges::max_element(bytes) + 1) / 2);
  std::vector<std::string> out(bytes.size());
  if (length == 0) return out;
  const at::Tensor texts = rows(numbers_of(mine, length));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = text_of(texts.const_data_ptr<float>() + static_cast<std::int64_t>(i) * length, bytes[i]);
  return out;
}

}  // namespace tritonrl::rl
