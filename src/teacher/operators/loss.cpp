#include "teacher/operators/table.h"

// Losses: the loss of each element or row; `then` sums or averages them.
namespace tritonrl::teacher::operators {

std::vector<Operator> loss_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::string_view name, std::string_view parameters, std::vector<Recipe> recipes,
                          double operations, Rows rows = Rows::kNone, std::string_view row_parameters = "") {
    all.push_back({.name = name,
                   .group = Group::kLoss,
                   .parameters = parameters,
                   .rows = rows,
                   .type = ResultType::kFloat,
                   .recipes = std::move(recipes),
                   .then = "reduction",
                   .operations = operations,
                   .row_parameters = row_parameters});
  };
  add("mse_loss", "input, target, size_average=None, reduce=None, reduction='mean', weight=None",
      {{"weight is None", "diff = input - target; diff * diff"}}, 2);
  add("l1_loss", "input, target, size_average=None, reduce=None, reduction='mean', weight=None",
      {{"weight is None", "tl.abs(input - target)"}}, 2);
  add("smooth_l1_loss", "input, target, size_average=None, reduce=None, reduction='mean', beta=1.0",
      {{"beta == 0", "tl.abs(input - target)"},
       {"beta > 0",
        "diff = tl.abs(input - target); tl.where(diff < beta, 0.5 * diff * diff / beta, diff - 0.5 * beta)"}},
      6);
  add("huber_loss", "input, target, reduction='mean', delta=1.0, weight=None",
      {{"weight is None",
        "diff = tl.abs(input - target); tl.where(diff <= delta, 0.5 * diff * diff, delta * (diff - 0.5 * delta))"}},
      6);
#define TRL_CROSS_ENTROPY \
  "high = max(input); diff = input - high; power = tl.exp(diff); total = sum(power); whole = tl.log(total); "
  add("cross_entropy",
      "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', "
      "label_smoothing=0.0",
      {{"weight is None & ignore_index == -100 & label_smoothing == 0",
        TRL_CROSS_ENTROPY "own = tl.where(place == target, diff, 0.0); part = sum(own); whole - part"},
       {"weight is None & ignore_index == -100",
        TRL_CROSS_ENTROPY "own = tl.where(place == target, diff, 0.0); part = sum(own); other = sum(diff); "
                          "(1.0 - label_smoothing) * (whole - part) + label_smoothing * (whole - other / count)"}},
      10, Rows::kClasses, "target");
  // Its targets are probabilities of all classes.
  add("cross_entropy_soft",
      "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', "
      "label_smoothing=0.0",
      {{"weight is None & label_smoothing == 0", TRL_CROSS_ENTROPY "loss = target * (whole - diff); sum(loss)"}}, 10,
      Rows::kClasses);
#undef TRL_CROSS_ENTROPY
  add("nll_loss", "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'",
      {{"weight is None & ignore_index == -100",
        "own = tl.where(place == target, input, 0.0); part = sum(own); -part"}},
      2, Rows::kClasses, "target");
  add("binary_cross_entropy", "input, target, weight=None, size_average=None, reduce=None, reduction='mean'",
      {{"weight is None",
        "(target - 1.0) * tl.maximum(libdevice.log1p(-input), -100.0) - target * tl.maximum(tl.log(input), -100.0)"},
       {"",
        "loss = (target - 1.0) * tl.maximum(libdevice.log1p(-input), -100.0) - target * tl.maximum(tl.log(input), "
        "-100.0); "
        "loss * weight"}},
      14);
#define TRL_LOGITS "soft = libdevice.log1p(tl.exp(-tl.abs(input))); "
  add("binary_cross_entropy_with_logits",
      "input, target, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None",
      {{"weight is None & pos_weight is None", TRL_LOGITS "tl.maximum(input, 0.0) - input * target + soft"},
       {"pos_weight is None", TRL_LOGITS "(tl.maximum(input, 0.0) - input * target + soft) * weight"},
       {"weight is None", TRL_LOGITS "part = 1.0 + (pos_weight - 1.0) * target; "
                                     "(1.0 - target) * input + part * (soft + tl.maximum(-input, 0.0))"},
       {"", TRL_LOGITS "part = 1.0 + (pos_weight - 1.0) * target; "
                       "((1.0 - target) * input + part * (soft + tl.maximum(-input, 0.0))) * weight"}},
      14);
#undef TRL_LOGITS
  add("kl_div", "input, target, size_average=None, reduce=None, reduction='mean', log_target=False",
      {{"log_target", "tl.exp(target) * (target - input)"},
       {"not log_target", "tl.where(target > 0, target * (tl.log(target) - input), 0.0)"}},
      8);
  add("poisson_nll_loss",
      "input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean'",
      {{"log_input & not full", "tl.exp(input) - target * input"},
       {"not log_input & not full", "input - target * tl.log(input + eps)"},
       {"log_input & full",
        "loss = tl.exp(input) - target * input; stirling = target * tl.log(target) - target + "
        "0.5 * tl.log(6.283185307179586 * target); tl.where(target > 1, loss + stirling, loss)"},
       {"not log_input & full",
        "loss = input - target * tl.log(input + eps); stirling = target * tl.log(target) - target + "
        "0.5 * tl.log(6.283185307179586 * target); tl.where(target > 1, loss + stirling, loss)"}},
      8);
  add("gaussian_nll_loss", "input, target, var, full=False, eps=1e-06, reduction='mean'",
      {{"not full", "kept = tl.maximum(var, eps); diff = input - target; 0.5 * (tl.log(kept) + diff * diff / kept)"},
       {"full",
        "kept = tl.maximum(var, eps); diff = input - target; "
        "0.5 * (tl.log(kept) + diff * diff / kept) + 0.9189385332046727"}},
      9);
  add("hinge_embedding_loss", "input, target, margin=1.0, size_average=None, reduce=None, reduction='mean'",
      {{"", "tl.where(target != 1, tl.maximum(margin - input, 0.0), 0.0) + tl.where(target != -1, input, 0.0)"}}, 4);
  add("margin_ranking_loss", "input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction='mean'",
      {{"", "tl.maximum(margin - target * (input1 - input2), 0.0)"}}, 4);
  add("soft_margin_loss", "input, target, size_average=None, reduce=None, reduction='mean'",
      {{"", "error = -target * input; tl.maximum(error, 0.0) + libdevice.log1p(tl.exp(-tl.abs(error)))"}}, 12);
  add("cosine_embedding_loss", "input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction='mean'",
      {{"",
        "product = input1 * input2; dot = sum(product); square1 = input1 * input1; length1 = sum(square1); "
        "square2 = input2 * input2; length2 = sum(square2); "
        "cosine = dot / tl.sqrt((length1 + 1e-12) * (length2 + 1e-12)); "
        "tl.where(target == 1, 1.0 - cosine, tl.where(target == -1, tl.maximum(cosine - margin, 0.0), 0.0))"}},
      6, Rows::kLast, "target");
#define TRL_DISTANCES                                                               \
  "near = anchor - positive + eps; square1 = near * near; length1 = sum(square1); " \
  "far = anchor - negative + eps; square2 = far * far; length2 = sum(square2); "
  add("triplet_margin_loss",
      "anchor, positive, negative, margin=1.0, p=2.0, eps=1e-06, swap=False, size_average=None, reduce=None, "
      "reduction='mean'",
      {{"p == 2 & not swap", TRL_DISTANCES "tl.maximum(margin + tl.sqrt(length1) - tl.sqrt(length2), 0.0)"},
       {"p == 2 & swap",
        TRL_DISTANCES "between = positive - negative + eps; square3 = between * between; length3 = sum(square3); "
                      "least = tl.minimum(length2, length3); "
                      "tl.maximum(margin + tl.sqrt(length1) - tl.sqrt(least), 0.0)"},
       {"p == 1 & not swap",
        "near = tl.abs(anchor - positive + eps); length1 = sum(near); far = tl.abs(anchor - negative + eps); "
        "length2 = sum(far); tl.maximum(margin + length1 - length2, 0.0)"}},
      8, Rows::kLast);
#undef TRL_DISTANCES
  add("multi_margin_loss",
      "input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction='mean'",
      {{"weight is None & p == 1",
        "own = tl.where(place == target, input, 0.0); right = sum(own); "
        "part = tl.where(place == target, 0.0, tl.maximum(margin - right + input, 0.0)); total = sum(part); total / "
        "count"},
       {"weight is None & p == 2",
        "own = tl.where(place == target, input, 0.0); right = sum(own); "
        "part = tl.where(place == target, 0.0, tl.maximum(margin - right + input, 0.0)); square = part * part; "
        "total = sum(square); total / count"}},
      5, Rows::kClasses, "target");
  add("multilabel_soft_margin_loss", "input, target, weight=None, size_average=None, reduce=None, reduction='mean'",
      {{"weight is None",
        "loss = tl.maximum(input, 0.0) - input * target + libdevice.log1p(tl.exp(-tl.abs(input))); "
        "total = sum(loss); total / count"}},
      14, Rows::kLast);
  return all;
}

}  // namespace tritonrl::teacher::operators
