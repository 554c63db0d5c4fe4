#include "teacher/families/style.h"

namespace tritonrl::teacher {

Style draw_style(Draw& draw, IdiomUse& idioms) {
  Style style;
  const int paths[] = {55, 15, 15, idioms.weight("spelling:nn_functional_path", 8)};
  style.functional = static_cast<Style::Functional>(draw.weighted(paths));
  style.nn_from_torch = draw.chance(25);
  style.super_names_class = draw.chance(40);
  style.hints = draw.chance(20);
  style.constructor_last = draw.chance(3);
  style.function_form = draw.of({20, 40, 80});
  style.method_form = draw.of({0, 20, 60});
  style.module_form = draw.of({0, 20, 50});
  style.statement = draw.of({10, 25, 45, 70, 95});
  style.reassign = draw.of({5, 30, 60, 90});
  style.augmented = draw.of({0, 0, 10, 30});
  style.keyword = draw.of({10, 60, 90, 100});
  style.negative_dim = draw.of({15, 50, 85});
  style.literal = draw.of({10, 40, 80});
  style.attribute = draw.of({0, 20, 60});
  style.argument = draw.of({0, 20, 60});
  style.constant = draw.of({0, 50, 90, 100});
  style.odd_names = draw.of({0, 0, 15, 40, 90});
  style.whole_numbers = draw.of({5, 30, 60});
  style.camel = draw.chance(6);
  return style;
}

}  // namespace tritonrl::teacher
