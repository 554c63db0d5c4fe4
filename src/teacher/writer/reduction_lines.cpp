#include "teacher/writer/reduction_lines.h"

namespace tritonrl::teacher {
namespace {

bool picks_place(const std::string& kind) {
  return kind == "argmax" || kind == "argmin";
}
bool is_logical(const std::string& kind) {
  return kind == "any" || kind == "all";
}

// The elements that count, others neutral.
std::string counted(const ReductionWords& words) {
  if (is_logical(words.kind))
    return "tl.where(" + words.mask + ", " + words.value + " != 0, " + neutral(words.kind) + ")";
  return "tl.where(" + words.mask + ", " + words.value + ", " + neutral(words.kind) + ")";
}

std::string joined_over(const std::string& kind, const std::string& vector, const std::string& axis) {
  if (kind == "sum") return "tl.sum(" + vector + ", " + axis + ")";
  if (kind == "max" || kind == "any") return "tl.max(" + vector + ", " + axis + ")";
  if (kind == "min" || kind == "all") return "tl.min(" + vector + ", " + axis + ")";
  return "tl.reduce(" + vector + ", " + axis + ", multiply)";
}

}  // namespace

std::string neutral(const std::string& kind) {
  if (kind == "sum") return "0.0";
  if (kind == "prod") return "1.0";
  if (kind == "max" || kind == "argmax") return "float('-inf')";
  if (kind == "min" || kind == "argmin") return "float('inf')";
  return kind == "any" ? "0" : "1";
}

bool needs_multiply(const std::string& kind) {
  return kind == "prod" || kind == "cumprod";
}

void begin_reduction(const ReductionWords& words, const std::string& shape, Lines& lines) {
  if (words.kind == "sum") {
    lines.add(words.acc + " = tl.zeros(" + shape + ", tl.float32)");
  } else {
    lines.add(words.acc + " = tl.full(" + shape + ", " + neutral(words.kind) + ", " +
              (is_logical(words.kind) ? "tl.int32" : "tl.float32") + ")");
  }
  if (picks_place(words.kind)) lines.add(words.acc + "_at = tl.zeros(" + shape + ", tl.int32)");
}

void add_to_reduction(const ReductionWords& words, Lines& lines) {
  const std::string& acc = words.acc;
  if (picks_place(words.kind)) {
    const std::string sign = words.kind == "argmax" ? " > " : " < ";
    lines.add("better = " + words.mask + " & (" + words.value + sign + acc + ")");
    lines.add(acc + " = tl.where(better, " + words.value + ", " + acc + ")");
    lines.add(acc + "_at = tl.where(better, " + words.place + ", " + acc + "_at)");
    return;
  }
  if (words.kind == "sum") {
    lines.add(acc + " += " + counted(words));
  } else if (words.kind == "prod") {
    lines.add(acc + " *= " + counted(words));
  } else {
    const bool larger = words.kind == "max" || words.kind == "any";
    lines.add(acc + " = tl." + (larger ? "maximum(" : "minimum(") + acc + ", " + counted(words) + ")");
  }
}

void end_reduction(const ReductionWords& words, const std::string& target, const std::string& axis, Lines& lines) {
  if (!picks_place(words.kind)) {
    lines.add(target + " = " + joined_over(words.kind, words.acc, axis));
    return;
  }
  const std::string best = words.kind == "argmax" ? "max" : "min";
  lines.add("best = tl." + best + "(" + words.acc + ", " + axis + ")");
  lines.add(target + " = tl.min(tl.where(" + words.acc + " == best" + words.row + ", " + words.acc + "_at, n), " +
            axis + ")");
}

void reduce_block(const ReductionWords& words, const std::string& target, const std::string& axis, Lines& lines) {
  if (!picks_place(words.kind)) {
    std::string text = counted(words);
    if (is_logical(words.kind)) text += ".to(tl.int32)";
    lines.add(target + " = " + joined_over(words.kind, text, axis));
    return;
  }
  const std::string best = words.kind == "argmax" ? "argmax" : "argmin";
  lines.add(target + " = tl." + best + "(" + counted(words) + ", " + axis + ")");
}

}  // namespace tritonrl::teacher
