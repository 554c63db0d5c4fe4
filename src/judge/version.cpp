#include "judge/version.h"

namespace tritonrl::judge {

std::string judge_version() {
  return "2";
}

}  // namespace tritonrl::judge
