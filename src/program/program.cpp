#include "program/program.h"

namespace tritonrl::program {

const SourceLine& place_of(const Step& step) {
  return std::visit([](const auto& any) -> const SourceLine& { return any.at; }, step);
}

}  // namespace tritonrl::program
