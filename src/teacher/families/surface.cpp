#include "teacher/families/surface.h"

namespace tritonrl::teacher {

Surface draw_surface(Draw& draw, Style& style) {
  Surface out;
  out.real = true;
  out.realistic_sizes = draw.chance(50);
  out.renamed = draw.chance(40);
  out.own_name = draw.chance(30);
  style.hints = draw.chance(50);
  if (style.hints) {
    if (draw.chance(20)) out.tensor = "Tensor";
    out.results = draw.chance(75);
    out.none = draw.chance(25);
  }
  const int base = draw.below(100);
  if (base < 12) out.base = base < 8 ? "Module" : "torch.nn.Module";
  out.future = draw.chance(15);
  out.typing = draw.chance(8);
  out.keeps = draw.of({0, 0, 0, 30, 90});
  out.given_constants = draw.of({0, 50, 100, 100});
  out.products = draw.of({0, 0, 0, 30});
  out.together = draw.chance(8);
  out.keywords = draw.chance(25);
  out.inputs = static_cast<Surface::Inputs>(draw.weighted({45, 45, 10}));
  out.sizes = static_cast<Surface::Sizes>(draw.weighted({65, 20, 3, 12}));
  if (draw.chance(60)) {
    out.maker = "rand";
    if (draw.chance(20)) out.after = draw.word({" * 2 - 1", " - 0.5", " * 2.0 - 1.0"});
  }
  style.constant = draw.of({0, 60, 100, 100});
  style.odd_names = draw.of({0, 0, 5, 30});
  if (draw.chance(35)) {  // every number is an argument of the constructor
    style.literal = -10;
    style.attribute = 5;
    style.argument = 90;
  }
  return out;
}

}  // namespace tritonrl::teacher
