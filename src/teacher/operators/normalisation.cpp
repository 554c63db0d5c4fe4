#include "teacher/operators/table.h"

// Rows that keep their length. Variances in two passes: the mean first, then the squares of what is left.
namespace tritonrl::teacher::operators {

std::vector<Operator> normalisation_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::string_view name, std::string_view parameters, Rows rows, std::vector<Recipe> recipes,
                          double operations, std::string_view channel_parameters = "") {
    all.push_back({.name = name,
                   .group = Group::kNormalisation,
                   .parameters = parameters,
                   .rows = rows,
                   .type = ResultType::kFloat,
                   .recipes = std::move(recipes),
                   .operations = operations,
                   .channel_parameters = channel_parameters});
  };
  add("softmax", "input, dim=None, _stacklevel=3, dtype=None", Rows::kDim,
      {{"dim is not None",
        "high = max(input); diff = input - high; power = tl.exp(diff); total = sum(power); power / total"}},
      8);
  add("log_softmax", "input, dim=None, _stacklevel=3, dtype=None", Rows::kDim,
      {{"dim is not None",
        "high = max(input); diff = input - high; power = tl.exp(diff); total = sum(power); diff - tl.log(total)"}},
      8);
  add("softmin", "input, dim=None, _stacklevel=3, dtype=None", Rows::kDim,
      {{"dim is not None",
        "low = min(input); diff = low - input; power = tl.exp(diff); total = sum(power); power / total"}},
      8);
  add("normalize", "input, p=2.0, dim=1, eps=1e-12, out=None", Rows::kDim,
      {{"p == 2",
        "square = input * input; total = sum(square); length = tl.sqrt(total); input / tl.maximum(length, eps)"},
       {"p == 1", "size = tl.abs(input); length = sum(size); input / tl.maximum(length, eps)"},
       {"p == inf", "size = tl.abs(input); length = max(size); input / tl.maximum(length, eps)"},
       {"p > 0",
        "power = libdevice.pow(tl.abs(input), p); total = sum(power); length = libdevice.pow(total, 1.0 / p); "
        "input / tl.maximum(length, eps)"}},
      4);

#define TRL_MOMENTS                                                                                             \
  "total = sum(input); mean = total / count; diff = input - mean; square = diff * diff; spread = sum(square); " \
  "scale = tl.rsqrt(spread / count + eps); "
  add("layer_norm", "input, normalized_shape, weight=None, bias=None, eps=1e-05", Rows::kLast,
      {{"weight is None & bias is None", TRL_MOMENTS "diff * scale"},
       {"bias is None", TRL_MOMENTS "diff * scale * weight"},
       {"weight is not None", TRL_MOMENTS "diff * scale * weight + bias"}},
      8);
  add("rms_norm", "input, normalized_shape, weight=None, eps=None", Rows::kLast,
      {{"weight is None & eps is None",
        "square = input * input; total = sum(square); input * tl.rsqrt(total / count + 1.1920928955078125e-07)"},
       {"weight is None", "square = input * input; total = sum(square); input * tl.rsqrt(total / count + eps)"},
       {"eps is None",
        "square = input * input; total = sum(square); input * tl.rsqrt(total / count + 1.1920928955078125e-07) * "
        "weight"},
       {"", "square = input * input; total = sum(square); input * tl.rsqrt(total / count + eps) * weight"}},
      5);
  add("group_norm", "input, num_groups, weight=None, bias=None, eps=1e-05", Rows::kGroups,
      {{"weight is None & bias is None", TRL_MOMENTS "diff * scale"},
       {"bias is None", TRL_MOMENTS "diff * scale * weight"},
       {"weight is not None", TRL_MOMENTS "diff * scale * weight + bias"}},
      8, "weight, bias");
  add("instance_norm",
      "input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, "
      "eps=1e-05",
      Rows::kSpatial,
      {{"use_input_stats & weight is None & bias is None", TRL_MOMENTS "diff * scale"},
       {"use_input_stats & weight is not None & bias is not None", TRL_MOMENTS "diff * scale * weight + bias"}},
      8, "weight, bias, running_mean, running_var");
  add("batch_norm", "input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05",
      Rows::kPerChannel,
      {{"training & weight is None & bias is None", TRL_MOMENTS "diff * scale"},
       {"training & bias is None", TRL_MOMENTS "diff * scale * weight"},
       {"training & weight is not None", TRL_MOMENTS "diff * scale * weight + bias"},
       {"not training & weight is None & bias is None", "(input - running_mean) * tl.rsqrt(running_var + eps)"},
       {"not training & bias is None", "(input - running_mean) * tl.rsqrt(running_var + eps) * weight"},
       {"not training & weight is not None", "(input - running_mean) * tl.rsqrt(running_var + eps) * weight + bias"}},
      8, "running_mean, running_var, weight, bias");
#undef TRL_MOMENTS
  add("local_response_norm", "input, size, alpha=0.0001, beta=0.75, k=1.0", Rows::kNone, {}, 12);
  // Draws random numbers.
  add("gumbel_softmax", "logits, tau=1, hard=False, eps=1e-10, dim=-1", Rows::kDim, {}, 20);
  return all;
}

}  // namespace tritonrl::teacher::operators
