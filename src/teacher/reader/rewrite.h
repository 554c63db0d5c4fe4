#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/tree.h"
#include "teacher/facts/facts.h"
#include "teacher/kernels/source_kernel.h"

namespace tritonrl::teacher {

enum class KernelPolicy : std::uint8_t {
  kKernelBench,  // products, convolutions and pooling stay in torch where something else can be replaced
  kStrict,       // they are written in Triton too
};

// How the plan before the code tells a region's operators.
enum class PlanForm : std::uint8_t {
  kNested,  // "# fused1 pointwise: z = sigmoid(x); add(relu(z), 1.5)"
  kLines,   // one operator a line, in the order of evaluation: "#   z = sigmoid(x)", "#   _1 = relu(z)", …
};
inline std::span<const char* const> enum_names(PlanForm) {
  static constexpr const char* kNames[] = {"nested", "lines"};
  return kNames;
}

// Who says which regions become kernels, and by which schedules.
class RegionChoice {
 public:
  virtual ~RegionChoice() = default;
  // Of the region with these operators, as PlanForm::kLines tells them; null: it becomes no kernel.
  virtual const Schedule* of(std::string_view operators) = 0;
  // It becomes none, since it cannot have that schedule.
  virtual void refused(std::string_view operators, const std::string& why) = 0;
};

struct RewriteOptions {
  KernelPolicy policy = KernelPolicy::kKernelBench;
  Variant variant = Variant::kCanonical;
  PlanForm plan = PlanForm::kNested;
  int most_kernels = 8;         // further regions stay as they are, but under policy strict
  std::set<int> left_out = {};  // lines of the text at which no region begins: what they compute stays in torch
  bool exact = false;  // only operators whose results are torch's bit for bit (relu, sums of two, products): for deep
                       // networks that make the smallest difference large
  // What is faster and no plan can say. A layer's convolution is computed by torch without its bias, which torch adds
  // in a pass of its own: the region behind it does. Sizes that places are divided by are constants of the kernel.
  bool beyond_plans = false;
  RegionChoice* regions = nullptr;                            // null: every region, in the form of `variant`
  const std::set<const syntax::SyntaxNode*>* cuts = nullptr;  // expressions that are fused with nothing around them
};

// A region that became a kernel.
struct RegionReport {
  std::string kind;                    // "pointwise", "rows", "full", "linear", "conv2d", "module relu"
  std::vector<std::string> operators;  // of the table, in order
  int line = 0;                        // where it began
  std::string variant = {};  // of the fast forms the one that was taken: "columns", "one block"; empty: canonical
  std::string plan = {};     // its operators, as PlanForm tells them
  std::vector<std::string> also = {};  // those of other places that are the same kernel
  Schedule taken = {};                 // by which it was written
};

struct Rewritten {
  std::string
      solution;      // the whole answer: a plan in comments, then code in Python's normal form that defines `ModelNew`
  std::string plan;  // its first lines
  std::vector<RegionReport> regions;
  KernelPolicy policy = KernelPolicy::kStrict;  // for which it is an answer: strict only if torch computes nothing
  int left_in_torch = 0;  // operators that compute and were not replaced, as far as the table knows them
};

// A module's solution: each fusable region becomes a kernel, everything else is copied. `module` is the tree of the
// normalised text (no comments, no docstrings); `facts` of its expressions. None: there is no region, `why` says what
// there was. Deterministic: the same tree, facts and options give the same bytes on every machine.
std::optional<Rewritten> rewrite(const syntax::SyntaxNode& module, const Facts& facts, std::string_view entry_point,
                                 const RewriteOptions& options, std::string* why = nullptr);

}  // namespace tritonrl::teacher
