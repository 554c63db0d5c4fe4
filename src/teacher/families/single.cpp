#include <vector>

#include "teacher/families/heavy.h"
#include "teacher/families/loss_table.h"
#include "teacher/families/modules.h"

namespace tritonrl::teacher {

namespace {

Letters some_shape(Draw& draw) {
  return Letters(draw.word({"BD", "BD", "BD", "BTD", "BCHW", "BCHW", "BCL", "BCPHW", "L"}));
}

class SingleWriter : ForwardWriter {
 public:
  using ForwardWriter::ForwardWriter;

  void write() {
    page_.idioms.note("template:single");
    switch (draw_.weighted({14, 6, 9, 8, 7, 4, 7, 3, 3})) {
      case 0:
        return finish(formula_.unary(input(some_shape(draw_), InputKind::kNormal)));
      case 1:
        return two_operands();
      case 2:
        return reduction();
      case 3:
        return normalisation();
      case 4:
        return loss();
      case 5:
        return pooling();
      case 6:
        return heavy();
      case 7:
        return scan();
      default:
        return distance();
    }
  }

 private:
  Value input(const Letters& shape, InputKind kind) {
    if (!page_.sizes.fixed()) {
      page_.sizes.need(shape);
      page_.sizes.fix();
    }
    return {.text = page_.input("x", shape, kind), .shape = shape, .range = input_range(page_, kind), .plain = true};
  }

  void finish(Value v) {
    if (draw_.chance(25)) v = formula_.settle(std::move(v), "out");
    body_.line("return " + v.text);
  }

  void two_operands() {
    const Value v = input(some_shape(draw_), InputKind::kNormal);
    Letters shape = v.shape;
    if (draw_.chance(40)) shape = draw_.chance(50) ? Letters(1, shape.back()) : Letters("1") + shape.substr(1);
    const Value other{.text = page_.input("y", shape, InputKind::kNormal),
                      .shape = shape,
                      .range = input_range(page_),
                      .plain = true};
    if (draw_.chance(20)) return finish(formula_.masked(v, {v, other}));
    if (draw_.chance(25)) return finish(formula_.clamp(v));
    if (draw_.chance(20)) return finish(formula_.power(v));
    finish(formula_.binary(v, other));
  }

  void reduction() {
    Value v = input(some_shape(draw_), InputKind::kNormal);
    if (draw_.chance(15)) return finish(formula_.whole(std::move(v)));
    std::string_view op = draw_.word(
        {"sum", "mean", "amax", "amin", "var", "std", "norm", "logsumexp", "argmax", "argmin", "prod", "any"});
    const std::vector<int> axes =
        formula_.some_axes(v.shape, op == "argmax" || op == "argmin" || op == "prod" || op == "any");
    if (op == "prod") v = {.text = "torch.sigmoid(" + v.text + ") + 0.5", .shape = v.shape};
    if (op == "any") v = {.text = v.text + " > 2.0", .shape = v.shape};  // true for some rows only
    const bool one_only = op == "argmax" || op == "argmin" || op == "prod" || op == "any";
    finish(formula_.reduce(op, v, one_only ? std::vector<int>{axes[0]} : axes, draw_.chance(50)));
  }

  void normalisation() {
    if (draw_.chance(45)) return finish(formula_.normalised(input(some_shape(draw_), InputKind::kNormal)));
    const bool image = draw_.chance(65);
    const Letters shape(image ? draw_.word({"BCHW", "BCHW", "BCL", "BCPHW"}) : draw_.word({"BD", "BTD"}));
    page_.sizes.need(shape);
    if (image) page_.sizes.multiple('C', 4);
    page_.sizes.fix();
    const Value v = input(shape, InputKind::kNormal);
    const std::string dims = std::to_string(shape.size() - 2);
    std::string made;
    const std::string channels = page_.size_text(page_.model, image ? 'C' : 'D');
    switch (image ? draw_.below(3) : 3 + draw_.below(shape.size() == 2 ? 3 : 2)) {
      case 0:
        made = "nn.BatchNorm" + dims + "d(" + channels + ")";
        page_.idioms.note("operator:batch_norm");
        break;
      case 1:
        made = "nn.InstanceNorm" + dims + "d(" + channels + (draw_.chance(40) ? ", affine=True)" : ")");
        page_.idioms.note("operator:instance_norm");
        break;
      case 2:
        made = "nn.GroupNorm(" + page_.constructor_number(page_.model, draw_.word({"2", "4", "1"}), "groups") + ", " +
               channels + ")";
        page_.idioms.note("operator:group_norm");
        break;
      case 3:
        made = "nn.LayerNorm(" + channels + (draw_.chance(30) ? ", eps=1e-6)" : ")");
        page_.idioms.note("operator:layer_norm");
        break;
      case 4:
        made = "nn.RMSNorm(" + channels + ")";
        page_.idioms.note("operator:rms_norm");
        break;
      default:
        made = "nn.BatchNorm1d(" + channels + ")";
        page_.idioms.note("operator:batch_norm");
    }
    finish({.text = page_.attribute(page_.model, "norm", made) + "(" + v.text + ")"});
  }

  void loss() {
    std::vector<int> weights;
    for (const Loss& one : drawn_losses())
      weights.push_back(page_.idioms.weight("operator:" + std::string(one.name), one.weight));
    const Loss& loss = drawn_losses()[static_cast<std::size_t>(draw_.weighted(weights))];
    page_.idioms.note("operator:" + std::string(loss.name));
    using Inputs = Loss::Inputs;
    Letters shape =
        loss.inputs == Inputs::kClasses || loss.inputs == Inputs::kLogClasses || loss.inputs == Inputs::kDistributions
            ? "BK"
        : loss.inputs == Inputs::kRankings ? "B"
        : loss.inputs == Inputs::kPairs || loss.inputs == Inputs::kTriple
            ? "BD"
            : std::string(draw_.word({"BD", "BTD", "BCHW", "BK"}));
    if (loss.inputs == Inputs::kClasses && draw_.chance(20)) shape = "BKL";
    page_.sizes.need(shape);
    if (shape == "B") page_.sizes.at_least('B', 32);
    page_.sizes.fix();
    const bool probabilities = loss.inputs == Inputs::kProbabilities;
    const std::string first = page_.input("pred", shape, probabilities ? InputKind::kUniform : InputKind::kNormal);
    std::string arguments = first, after;
    std::string extra(loss.arguments);
    if (draw_.chance(50)) extra.clear();
    const auto more = [&](std::string_view hint, const Letters& of, InputKind kind, char most = 0) {
      return page_.input(hint, of, kind, most);
    };
    switch (loss.inputs) {
      case Inputs::kSame:
        arguments += ", " + more("target", shape, InputKind::kNormal);
        break;
      case Inputs::kProbabilities:
      case Inputs::kBinary:
        arguments += ", " + more("target", shape, draw_.chance(50) ? InputKind::kZeroOne : InputKind::kUniform);
        break;
      case Inputs::kClasses:
        arguments += ", " + more("target", shape == "BKL" ? "BL" : "B", InputKind::kIndex, 'K');
        break;
      case Inputs::kLogClasses:
        arguments =
            page_.functional("log_softmax") + "(" + first + ", dim=1), " + more("target", "B", InputKind::kIndex, 'K');
        break;
      case Inputs::kDistributions: {
        const std::string target = more("target", shape, InputKind::kNormal);
        const std::string log = page_.functional("log_softmax");
        arguments = log + "(" + first + ", dim=-1), torch.softmax(" + target + ", dim=-1)";
        extra = "reduction='batchmean'";
        break;
      }
      case Inputs::kSigns:
        arguments += ", " + more("target", shape, InputKind::kSign);
        break;
      case Inputs::kRankings: {
        arguments += ", " + more("y", shape, InputKind::kNormal);
        arguments += ", " + more("target", shape, InputKind::kSign);
        break;
      }
      case Inputs::kPairs: {
        arguments += ", " + more("y", shape, InputKind::kNormal);
        arguments += ", " + more("target", "B", InputKind::kSign);
        break;
      }
      case Inputs::kTriple: {
        arguments += ", " + more("y", shape, InputKind::kNormal);
        arguments += ", " + more("y", shape, InputKind::kNormal);
        break;
      }
      case Inputs::kVariances: {
        arguments += ", " + more("target", shape, InputKind::kNormal);
        arguments += ", torch.exp(" + more("var", shape, InputKind::kUniform) + ")";
        break;
      }
      case Inputs::kCounts:
        arguments += ", " + more("target", shape, InputKind::kUniform);
        break;
    }
    if (loss.inputs != Inputs::kDistributions && draw_.chance(15))
      extra += std::string(extra.empty() ? "" : ", ") + "reduction='" +
               std::string(draw_.word({"sum", "none", "mean"})) + "'";
    if (draw_.chance(40)) {
      after = page_.attribute(page_.model, "criterion", "nn." + std::string(loss.module) + "(" + extra + ")") + "(" +
              arguments + ")";
    } else {
      after = page_.functional(loss.name) + "(" + arguments + (extra.empty() ? "" : ", " + extra) + ")";
    }
    finish({.text = after});
  }

  void pooling() {
    const Letters shape(draw_.word({"BCL", "BCHW", "BCHW", "BCPHW"}));
    page_.sizes.need(shape);
    for (const char letter : {'L', 'H', 'W', 'P'}) page_.sizes.at_least(letter, 6);
    page_.sizes.fix();
    const Value v = input(shape, InputKind::kNormal);
    const std::string dims = std::to_string(shape.size() - 2) + "d";
    const bool most = draw_.chance(50);
    page_.idioms.note(most ? "operator:max_pool" : "operator:avg_pool");
    if (draw_.chance(25)) {
      const std::string inside(draw_.word({"1", "2", "3"}));
      const std::string made =
          std::string(most ? "nn.AdaptiveMaxPool" : "nn.AdaptiveAvgPool") + dims + "(" + inside + ")";
      return finish({.text = page_.attribute(page_.model, "pool", made) + "(" + v.text + ")"});
    }
    const int kernel = draw_.of({2, 3, 3, 4, 5});
    std::string inside = page_.constructor_number(page_.model, std::to_string(kernel), "kernel");
    if (draw_.chance(60))
      inside += ", stride=" + page_.constructor_number(page_.model, std::to_string(draw_.between(1, kernel)), "stride");
    if (draw_.chance(50))
      inside +=
          ", padding=" + page_.constructor_number(page_.model, std::to_string(draw_.between(0, kernel / 2)), "padding");
    if (draw_.chance(15)) inside += ", ceil_mode=True";
    if (!most && draw_.chance(20)) inside += ", count_include_pad=False";
    const std::string made = std::string(most ? "nn.MaxPool" : "nn.AvgPool") + dims + "(" + inside + ")";
    finish({.text = page_.attribute(page_.model, "pool", made) + "(" + v.text + ")"});
  }

  void heavy() {
    const Heavy kind = static_cast<Heavy>(draw_.weighted({6, 5, 3, 2, 6, 3, 1, 3, 2}));
    const Letters shape = heavy_input_shape(draw_, kind);
    const char out = kind <= Heavy::kBmm ? 'Y' : 'O';
    page_.sizes.need(shape);
    page_.sizes.need(Letters("B") + out);
    page_.sizes.fix();
    const Value v = input(shape, InputKind::kNormal);
    if (kind == Heavy::kMatmul && draw_.chance(60)) {
      const std::string other = page_.input("y", Letters(1, shape.back()) + "Y", InputKind::kNormal);
      page_.idioms.note("operator:matmul");
      return finish(
          {.text = draw_.chance(50) ? "torch.matmul(" + v.text + ", " + other + ")" : v.text + " @ " + other});
    }
    finish(apply_heavy(body_, kind, v, out));
  }

  void scan() {
    const Value v = input(Letters(draw_.word({"BD", "BTD", "BL"})), InputKind::kNormal);
    const std::string_view op = draw_.word({"cumsum", "cumsum", "cumprod"});
    page_.idioms.note("operator:" + std::string(op));
    const std::string of = op == "cumprod" ? "torch.sigmoid(" + v.text + ") + 0.5" : v.text;
    const std::string dim = page_.number(&page_.model, draw_.word({"1", "-1"}), "dim");
    const std::string named = draw_.chance(page_.style.keyword) ? "dim=" + dim : dim;
    finish({.text = draw_.chance(60) ? "torch." + std::string(op) + "(" + of + ", " + named + ")"
                                     : "(" + of + ")." + std::string(op) + "(" + named + ")"});
  }

  void distance() {
    const Letters shape(draw_.word({"BD", "BTD"}));
    const Value v = input(shape, InputKind::kNormal);
    const std::string other = page_.input("y", shape, InputKind::kNormal);
    if (draw_.chance(60)) {
      page_.idioms.note("operator:cosine_similarity");
      if (draw_.chance(40)) {
        return finish({.text = page_.attribute(page_.model, "cos", "nn.CosineSimilarity(dim=-1)") + "(" + v.text +
                               ", " + other + ")"});
      }
      return finish({.text = page_.functional("cosine_similarity") + "(" + v.text + ", " + other + ", dim=-1)"});
    }
    page_.idioms.note("operator:pairwise_distance");
    finish({.text = page_.functional("pairwise_distance") + "(" + v.text + ", " + other + ")"});
  }
};

}  // namespace

void write_single(Page& page) {
  SingleWriter(page).write();
}

}  // namespace tritonrl::teacher
