#include "teacher/families/modules.h"

namespace tritonrl::teacher {

DrawnModule draw_module(Family family, std::uint64_t seed, bool held_out_idioms, bool realistic_sizes) {
  Page page(seed, held_out_idioms, realistic_sizes);
  page.file_names.add("Model");
  switch (family) {
    case Family::kFusion:
      write_fusion(page);
      break;
    case Family::kSingle:
      write_single(page);
      break;
    case Family::kRewrite:
      if (page.draw.chance(30))
        write_formula_module(page);
      else
        write_template_module(page);
      break;
    case Family::kChain:
      write_chain(page);
  }
  DrawnModule module;
  module.text = page.text();
  module.idioms = page.idioms.names();
  module.has_held_out = page.idioms.has_held_out();
  return module;
}

}  // namespace tritonrl::teacher
