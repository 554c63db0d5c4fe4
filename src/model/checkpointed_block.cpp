#include "model/checkpointed_block.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <mutex>

namespace tritonrl::model {
namespace {

// Puts a device's random numbers back to where they were, and forward again when it ends.
class RandomState {
 public:
  static at::Tensor of(const c10::Device& device) {
    at::Generator generator = at::globalContext().defaultGenerator(device);
    const std::lock_guard lock(generator.mutex());
    return generator.get_state();
  }
  RandomState(const c10::Device& device, const at::Tensor& state) : device_(device), now_(of(device)) { set(state); }
  ~RandomState() { set(now_); }
  RandomState(const RandomState&) = delete;
  RandomState& operator=(const RandomState&) = delete;

 private:
  void set(const at::Tensor& state) {
    at::Generator generator = at::globalContext().defaultGenerator(device_);
    const std::lock_guard lock(generator.mutex());
    generator.set_state(state);
  }
  c10::Device device_;
  at::Tensor now_;
};

// The block travels as a holder: autograd's saved data takes only types that it knows.
struct BlockHolder : torch::CustomClassHolder {
  explicit BlockHolder(Block b) : block(std::move(b)) {}
  Block block;
};

using torch::autograd::variable_list;

class CheckpointedBlock : public torch::autograd::Function<CheckpointedBlock> {
 public:
  // x and the leaves come as one list, so that autograd sees which of them want gradients.
  static at::Tensor forward(torch::autograd::AutogradContext* context, const Block* block, at::TensorList inputs) {
    const at::Tensor& x = inputs.front();
    context->saved_data["random"] = RandomState::of(x.device());
    context->saved_data["block"] = c10::IValue::make_capsule(c10::make_intrusive<BlockHolder>(*block));
    context->save_for_backward(inputs.vec());
    return (*block)(x);
  }

  static variable_list backward(torch::autograd::AutogradContext* context, variable_list upstream) {
    const variable_list inputs = context->get_saved_variables();
    const auto held = context->saved_data["block"].toCapsule();
    const Block& block = static_cast<const BlockHolder&>(*held).block;
    const at::Tensor x = inputs.front().detach().set_requires_grad(inputs.front().requires_grad());
    variable_list wanted;
    std::vector<std::size_t> place;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].requires_grad()) continue;
      wanted.push_back(i == 0 ? x : inputs[i]);
      place.push_back(i + 1);  // the block itself is the first argument
    }
    variable_list out(inputs.size() + 1);
    const RandomState random(x.device(), context->saved_data["random"].toTensor());
    const at::AutoGradMode with_gradients(true);
    const at::Tensor y = block(x);
    const variable_list gradients = torch::autograd::grad({y}, wanted, upstream, /*retain_graph=*/false,
                                                          /*create_graph=*/false, /*allow_unused=*/true);
    for (std::size_t i = 0; i < place.size(); ++i) out[place[i]] = gradients[i];
    return out;
  }
};

}  // namespace

at::Tensor checkpointed_block(const Block& block, const at::Tensor& x, const std::vector<at::Tensor>& leaves) {
  variable_list inputs = {x};
  inputs.insert(inputs.end(), leaves.begin(), leaves.end());
  return CheckpointedBlock::apply(&block, at::TensorList(inputs));
}

}  // namespace tritonrl::model
