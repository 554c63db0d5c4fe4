#include "teacher/families/formula.h"
#include "teacher/families/modules.h"

namespace tritonrl::teacher {

namespace {

// Three to six layers that stay in torch with formulas between them, which share attributes: each formula becomes a
// kernel of its own, and what stands in it is met again, negated or turned round, in another.
class ChainWriter : ForwardWriter {
 public:
  using ForwardWriter::ForwardWriter;

  void write() {
    page_.idioms.note("template:chain");
    const Letters shape(draw_.word({"BX", "BX", "BTX", "BCL", "BCHW", "BCHW"}));
    page_.sizes.need(shape);
    page_.sizes.fix();
    const std::string x = page_.input("x", shape, InputKind::kNormal);
    Value v{.text = x, .shape = shape, .range = input_range(page_), .plain = true};
    const Value start = v;
    add_shared(shape);
    const int stages = draw_.between(3, 6);
    for (int at = 0; at < stages; ++at) {
      v = layer(v);
      v = stage(v, at > 0 && draw_.chance(20) ? start : Value{});
    }
    if (draw_.chance(15)) v = formula_.reduced(std::move(v));
    body_.line("return " + v.text);
  }

 private:
  // What several formulas use: numbers, parameters of one value, of one a channel.
  void add_shared(const Letters& shape) {
    const bool image = shape[1] == 'C';
    const char features = image ? 'C' : 'X';
    const std::string size = page_.size_text(page_.model, features);
    std::string places;
    for (std::size_t at = 2; image && at < shape.size(); ++at) places += ", 1";
    for (int count = draw_.between(2, 4); count > 0; --count) {
      std::string made;
      switch (draw_.weighted({4, 2, 2, 3, 2})) {
        case 0:
          made = decimal(draw_.between(1, 9) * 10);
          break;
        case 1:
          made = "nn.Parameter(torch.tensor(" + decimal(draw_.between(1, 9) * 10) + "))";
          break;
        case 2:
          made = "nn.Parameter(torch." + std::string(draw_.word({"ones", "rand"})) + "(1))";
          break;
        case 3:
          made = "nn.Parameter(torch." + std::string(draw_.word({"rand", "ones"})) + "(" + size + places + "))";
          break;
        default:
          made = "nn.Parameter(torch.rand(1, " + size + places + "))";
          if (!image && shape.size() == 3) made = "nn.Parameter(torch.rand(1, 1, " + size + "))";
      }
      const std::string hint(draw_.word({"scale", "alpha", "beta", "gamma", "factor", "bias", "weight", "gate"}));
      shared_.push_back(page_.attribute(page_.model, hint, made));
    }
  }

  // A layer that keeps the shape.
  Value layer(const Value& v) {
    const bool image = v.shape[1] == 'C';
    const char features = image ? 'C' : 'X';
    const std::string size = page_.size_text(page_.model, features);
    const std::string bias(draw_.chance(50) ? ", bias=False)" : ")");
    std::string made;
    if (image) {
      const std::string dims = std::to_string(v.shape.size() - 2);
      page_.idioms.note("operator:conv");
      made = "nn.Conv" + dims + "d(" + size + ", " + size + ", " +
             std::string(draw_.word({"1", "3, padding=1", "kernel_size=3, padding=1"})) + bias;
    } else {
      page_.idioms.note("operator:linear");
      made = "nn.Linear(" + size + ", " + size + bias;
    }
    const std::string name = page_.attribute(page_.model, image ? "conv" : "fc", made);
    Value out{.text = name + "(" + v.text + ")", .shape = v.shape, .range = {.size = 2, .from = -8, .to = 8}};
    out.fresh = true;
    if (draw_.chance(45)) return out;  // inside the formula
    const bool again = draw_.chance(50) && v.plain;
    return formula_.settle(std::move(out), "out", again ? std::string_view(v.text) : std::string_view());
  }

  Value stage(Value v, const Value& residual) {
    if (draw_.chance(25)) v = helper(std::move(v));
    for (int count = draw_.between(1, 3); count > 0; --count) v = with_shared(std::move(v));
    if (draw_.chance(60)) v = formula_.activation(std::move(v));
    if (draw_.chance(30)) {
      v = formula_.plain(std::move(v), "out");
      const int operators = draw_.between(1, 3);
      v = formula_.dense(v, {v}, operators);
    }
    if (!residual.text.empty()) {
      page_.idioms.note("form:residual");
      v.text = "(" + v.text + ") + " + residual.text;
      v = computed(std::move(v));
    }
    v = formula_.tame(std::move(v));
    return formula_.plain(std::move(v), "out");
  }

  // One use of a shared attribute.
  Value with_shared(Value v) {
    const std::string& attribute = draw_.one_of(shared_);
    const std::string whole = v.plain ? v.text : "(" + v.text + ")";
    switch (draw_.weighted({3, 3, 3, 2, 2, 2, v.plain ? 3 : 0})) {
      case 0:
        v.text = whole + " * " + attribute;
        break;
      case 1:
        v.text = whole + " + " + attribute;
        break;
      case 2:
        v.text = whole + " * (1 - " + attribute + ")";
        break;
      case 3:
        v.text = "-" + attribute + " * " + whole;
        break;
      case 4:
        v.text = whole + " - " + attribute;
        break;
      case 5:
        v.text = attribute + " - " + whole;
        break;
      default: {
        const std::string other = "torch." + std::string(draw_.word({"tanh", "sigmoid"})) + "(" + v.text + ")";
        v.text = attribute + " * " + v.text + " + (1 - " + attribute + ") * " + other;
      }
    }
    v.range.size = std::min(v.range.size + 1, 6);
    return computed(std::move(v));
  }

  // A function of the file, used again where there is one already.
  Value helper(Value v) {
    if (!helper_.empty() && draw_.chance(60)) {
      v.text = helper_ + "(" + v.text + ")";
      return computed(std::move(v));
    }
    Value out = through_helper(page_, v, draw_.chance(25));
    if (!out.text.starts_with("self.")) helper_ = out.text.substr(0, out.text.find('('));
    return out;
  }

  std::vector<std::string> shared_;
  std::string helper_;
};

}  // namespace

void write_chain(Page& page) {
  ChainWriter(page).write();
}

}  // namespace tritonrl::teacher
