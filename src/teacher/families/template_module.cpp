#include <algorithm>

#include "teacher/families/modules.h"
#include "teacher/families/template_expansion.h"

namespace tritonrl::teacher {

namespace {

struct BlockKind {
  std::string_view name;
  Letters shape;
};

class TemplateModule : ForwardWriter {
 public:
  using ForwardWriter::ForwardWriter;

  void whole(std::string_view kind) {
    TemplateExpansion expansion(page_, choose(kind));
    expansion.plan();
    page_.sizes.fix();
    const std::string result = expansion.write_inside(page_.model, "");
    finish_whole(result);
  }

  void write() {
    switch (draw_.weighted({45, 16, 18, 12, 9})) {
      case 0:
        return whole("whole");
      case 1:
        return blocks({"image", "BCHW"});
      case 2:
        return blocks({"seq", "BTD"});
      case 3:
        return blocks({"vec", "BD"});
      default:
        return blocks({"wave", "BCL"});
    }
  }

 private:
  const ModuleTemplate& choose(std::string_view kind) {
    const TemplateLibrary& library = template_library();
    std::vector<int> weights;
    weights.reserve(library.templates.size());
    const auto fits = [&](std::string_view of) {
      return of == kind || (page_.surface.real && of.ends_with('+') && of.substr(0, of.size() - 1) == kind);
    };
    for (const ModuleTemplate& one : library.templates)
      weights.push_back(!fits(one.kind) ? 0
                        : one.held_out  ? page_.idioms.held_out_template_weight(one.weight)
                                        : one.weight);
    return library.templates[static_cast<std::size_t>(draw_.weighted(weights))];
  }

  // `out = ...; return out`, sometimes; not where plain modules were drawn without it.
  void finish_whole(const std::string& result) {
    if (!page_.surface.real || !page_.surface_draw.chance(20)) return body_.line("return " + result);
    const std::string name = draw_name(page_.surface_draw, page_.style, "out", NameRole::kLocal, page_.model.names);
    body_.line(name + " = " + result);
    body_.line("return " + name);
  }

  void blocks(const BlockKind& kind) {
    std::vector<TemplateExpansion> parts;
    const int count = draw_.of({1, 1, 1, 2, 2, 3});
    parts.reserve(static_cast<std::size_t>(count));
    page_.sizes.need(kind.shape);
    for (int at = 0; at < count; ++at) {
      parts.emplace_back(page_, choose(kind.name));
      parts.back().plan();
    }
    page_.sizes.fix();
    const std::string x = page_.input("x", kind.shape, InputKind::kNormal);
    Value v{.text = x, .shape = kind.shape, .range = input_range(page_), .plain = true};
    if (draw_.chance(20)) v = formula(v);
    for (TemplateExpansion& part : parts) {
      v = add_block(part, v);
      if (draw_.chance(35)) v = formula(v);
    }
    finish(std::move(v));
  }

  Value formula(const Value& v) {
    const std::string reusable = draw_.chance(60) ? v.text : std::string();
    Value result = formula_.dense(v, {v}, draw_.of({1, 2, 3, 4, 5, 7}), reusable);
    return formula_.plain(formula_.tame(std::move(result)), "out");
  }

  Value add_block(TemplateExpansion& part, const Value& v) {
    Value result{.text = {}, .shape = v.shape, .range = {.size = 3, .cut = true, .from = -10, .to = 10}};
    if (draw_.chance(45)) {
      result.text = part.write_inside(page_.model, v.text);
    } else {
      page_.idioms.note("form:class_of_its_own");
      std::string name;
      const std::string made = part.write_class(name);
      const std::vector<std::string> further = part.further_inputs(true);
      if (further.empty() && draw_.chance(25)) return repeated(made, v);
      std::string call = page_.attribute(page_.model, draw_.chance(50) ? "block" : "layer", made) + "(" + v.text;
      for (const std::string& input : further) call += ", " + input;
      result.text = call + ")";
      if (draw_.chance(25)) {
        page_.idioms.note("form:residual");
        result.text = draw_.chance(60) ? v.text + " + " + result.text : result.text + " + " + v.text;
        if (draw_.chance(30)) result.text = page_.functional("relu") + "(" + result.text + ")";
      }
    }
    const bool again = draw_.chance(page_.style.reassign + 20);
    return formula_.settle(std::move(result), "out", again ? std::string_view(v.text) : std::string_view());
  }

  Value repeated(const std::string& made, const Value& v) {
    const std::string count = page_.constructor_number(page_.model, draw_.word({"2", "3"}), "depth");
    const std::string list = "[" + made + " for _ in range(" + count + ")]";
    Value result{.text = v.text, .shape = v.shape, .range = {.size = 3, .cut = true}, .plain = true};
    if (draw_.chance(40)) {
      page_.idioms.note("form:sequential_of_list");
      const std::string layers = page_.attribute(page_.model, "blocks", "nn.Sequential(*" + list + ")");
      body_.line(v.text + " = " + layers + "(" + v.text + ")");
      return result;
    }
    page_.idioms.note("form:loop");
    const std::string layers = page_.attribute(page_.model, "layers", "nn.ModuleList(" + list + ")");
    const std::string layer = body_.new_name("layer");
    switch (draw_.weighted({6, 2, 2})) {
      case 0:
        body_.line("for " + layer + " in " + layers + ":");
        add_line(body_.lines, 12,
                 v.text + " = " + layer + "(" + v.text + ")" + (draw_.chance(30) ? " + " + v.text : ""));
        break;
      case 1: {
        const std::string index = body_.new_name("i");
        body_.line("for " + index + ", " + layer + " in enumerate(" + layers + "):");
        add_line(body_.lines, 12, v.text + " = " + layer + "(" + v.text + ")");
        break;
      }
      default: {
        const std::string index = body_.new_name("i");
        body_.line("for " + index + " in range(len(" + layers + ")):");
        add_line(body_.lines, 12, v.text + " = " + layers + "[" + index + "](" + v.text + ")");
      }
    }
    return result;
  }

  void finish(Value v) {
    if (draw_.chance(25)) v = formula_.reduced(std::move(v));
    if (draw_.chance(12) && !v.shape.empty()) v = formula_.whole(std::move(v));
    body_.line("return " + v.text);
  }
};

}  // namespace

void write_template_module(Page& page) {
  TemplateModule(page).write();
}

void write_lone_operator(Page& page) {
  page.idioms.note("template:single");
  TemplateModule(page).whole("lone");
}

}  // namespace tritonrl::teacher
