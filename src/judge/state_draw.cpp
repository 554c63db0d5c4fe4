#include "judge/state_draw.h"

#include <algorithm>
#include <functional>

#include "judge/constant_state.h"

namespace tritonrl::judge {
namespace {

bool is_buffer(const GivenState& one) {
  return one.buffer;
}

// The same with some of the state as it is; null: that would change nothing, or leave nothing.
std::shared_ptr<Draw> without(const Draw& draw, const std::function<bool(const GivenState&)>& some) {
  Draw out = draw;
  std::erase_if(out.state, some);
  if (out.state.empty() || out.state.size() == draw.state.size()) return nullptr;
  out.without_buffers = out.without_drawn = nullptr;
  return std::make_shared<Draw>(std::move(out));
}

}  // namespace

void give_other_state(Draw& draw, const program::Program& reference, const std::vector<runner::TensorData>& values) {
  draw.state = other_state(reference, values, draw.seed);
  draw.parameter_elements = parameter_elements(reference);
  if (draw.state.empty()) draw.not_applicable = "every parameter is drawn, and no buffer is a constant";
  draw.without_buffers = without(draw, is_buffer);
  draw.without_drawn = without(draw, replaceable);
  if (draw.without_buffers) draw.without_buffers->without_drawn = without(*draw.without_buffers, replaceable);
}

bool keep_plain_state(std::vector<Draw>& draws) {
  const auto refused =
      std::ranges::find_if(draws, [](const Draw& one) { return !one.state.empty() && !one.not_applicable.empty(); });
  if (refused == draws.end()) return false;
  Draw& draw = *refused;
  const auto fewer = without(draw, [](const GivenState& one) { return !plain(one); });
  if (!fewer) return false;
  draw.state = fewer->state;
  draw.without_drawn = nullptr;
  draw.not_applicable.clear();
  draw.inputs.clear();
  draw.expected.clear();
  draw.oracle.clear();
  draw.coarse.clear();
  draw.noisy.clear();
  draw.without_buffers = without(draw, is_buffer);
  return true;
}

std::vector<Draw*> with_alternatives(Draw& draw) {
  std::vector<Draw*> out = {&draw};
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const auto* one : {&out[i]->without_buffers, &out[i]->without_drawn}) {
      if (*one) out.push_back(one->get());
    }
  }
  return out;
}

}  // namespace tritonrl::judge
