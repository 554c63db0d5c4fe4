#include <algorithm>
#include <array>

#include "weights/gguf_model.h"

namespace tritonrl::weights {
namespace {

struct Renamed {
  std::string_view gguf;
  std::string_view hugging_face;
};

constexpr std::array<Renamed, 3> kOutside = {{{"token_embd.weight", "model.embed_tokens.weight"},
                                              {"output_norm.weight", "model.norm.weight"},
                                              {"output.weight", "lm_head.weight"}}};

constexpr std::array<Renamed, 16> kInside = {{{"attn_norm.weight", "input_layernorm.weight"},
                                              {"ffn_norm.weight", "post_attention_layernorm.weight"},
                                              {"attn_q.weight", "self_attn.q_proj.weight"},
                                              {"attn_k.weight", "self_attn.k_proj.weight"},
                                              {"attn_v.weight", "self_attn.v_proj.weight"},
                                              {"attn_output.weight", "self_attn.o_proj.weight"},
                                              {"attn_q.bias", "self_attn.q_proj.bias"},
                                              {"attn_k.bias", "self_attn.k_proj.bias"},
                                              {"attn_v.bias", "self_attn.v_proj.bias"},
                                              {"attn_output.bias", "self_attn.o_proj.bias"},
                                              {"ffn_gate.weight", "mlp.gate_proj.weight"},
                                              {"ffn_up.weight", "mlp.up_proj.weight"},
                                              {"ffn_down.weight", "mlp.down_proj.weight"},
                                              {"ffn_gate.bias", "mlp.gate_proj.bias"},
                                              {"ffn_up.bias", "mlp.up_proj.bias"},
                                              {"ffn_down.bias", "mlp.down_proj.bias"}}};

constexpr std::string_view kLayer = "blk.";
constexpr std::size_t kLongestNumber = 4;

template <std::size_t N>
std::optional<std::string> renamed(const std::array<Renamed, N>& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Renamed& row) { return row.gguf == name; });
  if (found == table.end()) return std::nullopt;
  return std::string(found->hugging_face);
}

}  // namespace

std::optional<std::string> hugging_face_name(std::string_view gguf_name) {
  if (!gguf_name.starts_with(kLayer)) return renamed(kOutside, gguf_name);
  const std::string_view rest = gguf_name.substr(kLayer.size());
  const std::size_t dot = rest.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot > kLongestNumber) return std::nullopt;
  const std::string_view layer = rest.substr(0, dot);
  const bool digits = std::all_of(layer.begin(), layer.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || (layer.size() > 1 && layer[0] == '0')) return std::nullopt;
  const std::optional<std::string> inside = renamed(kInside, rest.substr(dot + 1));
  if (!inside) return std::nullopt;
  return "model.layers." + std::string(layer) + "." + *inside;
}

}  // namespace tritonrl::weights
