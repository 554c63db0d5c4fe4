#include "teacher/operators/table.h"

// Dropout, embeddings, and tensors that come from nothing.
namespace tritonrl::teacher::operators {

#define TRL_PLACE \
  "dtype=None, device=None, layout=None, requires_grad=False, pin_memory=False, memory_format=None, out=None"

std::vector<Operator> other_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::initializer_list<std::string_view> names, std::string_view parameters) {
    for (const std::string_view name : names) {
      all.push_back({.name = name, .group = Group::kOther, .parameters = parameters, .type = ResultType::kFirst});
    }
  };
  // An identity where `training` is false or `p` is 0; else it draws.
  add({"dropout", "dropout1d", "dropout2d", "dropout3d"}, "input, p=0.5, training=True, inplace=False");
  add({"alpha_dropout", "feature_alpha_dropout"}, "input, p=0.5, training=False, inplace=False");
  add({"embedding"},
      "input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False");
  add({"one_hot"}, "tensor, num_classes=-1");
  add({"zeros", "ones", "empty", "rand", "randn"}, "*size, generator=None, " TRL_PLACE);
  add({"full"}, "size, fill_value, *, " TRL_PLACE);
  add({"randint"}, "low, high, size, *, generator=None, " TRL_PLACE);
  add({"randperm"}, "n, *, generator=None, " TRL_PLACE);
  add({"arange"}, "start, end, step, *, " TRL_PLACE);
  add({"linspace"}, "start, end, steps, *, " TRL_PLACE);
  add({"eye"}, "n, m=None, *, " TRL_PLACE);
  add({"zeros_like", "ones_like", "empty_like", "rand_like", "randn_like"}, "input, *, generator=None, " TRL_PLACE);
  add({"full_like"}, "input, fill_value, *, " TRL_PLACE);
  add({"randint_like"}, "input, low, high=None, *, " TRL_PLACE);
  add({"new_zeros", "new_ones", "new_empty"}, "input, *size, " TRL_PLACE);
  add({"new_full"}, "input, size, fill_value, *, " TRL_PLACE);
  add({"bernoulli"}, "input, p=None, *, generator=None, out=None");
  add({"tensor"}, "data, *, " TRL_PLACE);
  add({"overwrite"}, "input, *contents");  // fill_, uniform_, normal_, …: in place, whatever was there
  add({"searchsorted"}, "sorted_sequence, input, *, out_int32=False, right=False");
  add({"bucketize"}, "input, boundaries, *, out_int32=False, right=False");
  return all;
}

#undef TRL_PLACE

}  // namespace tritonrl::teacher::operators
