#include "teacher/families/modules.h"

namespace tritonrl::teacher {

DrawnModule draw_module(Family family, std::uint64_t seed, const ModuleOptions& options) {
  Page page(seed, options);
  switch (family) {
    case Family::kFusion:
      write_fusion(page);
      break;
    case Family::kSingle:
      if (options.real_styles && page.draw.chance(60))
        write_lone_operator(page);
      else
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
  module.held_out = page.idioms.held_out();
  module.entry_point = page.model.name;
  module.renamed = page.surface.renamed;
  return module;
}

}  // namespace tritonrl::teacher
