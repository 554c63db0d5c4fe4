#include "program/operator_kind.h"

#include <array>
#include <utility>

namespace tritonrl::program {
namespace {

constexpr std::array<std::pair<std::string_view, OperatorKind>, 23> kKinds = {{
    {"view", OperatorKind::kView},
    {"allocate", OperatorKind::kAllocate},
    {"fill", OperatorKind::kFill},
    {"copy", OperatorKind::kCopy},
    {"random", OperatorKind::kRandom},
    {"pointwise", OperatorKind::kPointwise},
    {"reduce", OperatorKind::kReduce},
    {"normalise", OperatorKind::kNormalise},
    {"softmax", OperatorKind::kSoftmax},
    {"scan", OperatorKind::kScan},
    {"sort", OperatorKind::kSort},
    {"matmul", OperatorKind::kMatmul},
    {"convolution", OperatorKind::kConvolution},
    {"recurrent", OperatorKind::kRecurrent},
    {"attention", OperatorKind::kAttention},
    {"pool", OperatorKind::kPool},
    {"gather", OperatorKind::kGather},
    {"permute", OperatorKind::kPermute},
    {"resample", OperatorKind::kResample},
    {"fourier", OperatorKind::kFourier},
    {"linalg", OperatorKind::kLinalg},
    {"loss", OperatorKind::kLoss},
    {"shape_query", OperatorKind::kShapeQuery},
}};

}  // namespace

std::string_view to_string(OperatorKind kind) {
  for (const auto& [name, known] : kKinds) {
    if (known == kind) return name;
  }
  return "?";
}

std::optional<OperatorKind> operator_kind_from_string(std::string_view name) {
  for (const auto& [known, kind] : kKinds) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

bool is_compute(OperatorKind kind) {
  return kind != OperatorKind::kView && kind != OperatorKind::kAllocate && kind != OperatorKind::kFill &&
         kind != OperatorKind::kCopy;
}

bool is_heavy(OperatorKind kind) {
  return kind == OperatorKind::kMatmul || kind == OperatorKind::kConvolution || kind == OperatorKind::kRecurrent ||
         kind == OperatorKind::kAttention;
}

}  // namespace tritonrl::program
