#include "text/extract_code.h"

#include <optional>
#include <vector>

#include "text/answer_layers.h"
#include "text/candidate.h"
#include "text/chars.h"
#include "text/clean_bytes.h"
#include "text/escapes.h"
#include "text/fences.h"
#include "text/join_blocks.h"
#include "text/line_prefixes.h"
#include "text/python_regions.h"
#include "text/tagged_blocks.h"

namespace tritonrl::text {
namespace {

constexpr int kMaxJsonDepth = 2;

// What one layer of the answer gave.
struct Finding {
  bool found = false;
  bool defines = false;
  bool whole = false;
  std::string code = {};
  std::string how = {};
  std::size_t fenced = 0;  // blocks seen
};

std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

// How the chosen one relates to the others: "last of 3 fenced blocks that define ModelNew".
std::string describe(const std::vector<Candidate>& candidates, std::size_t chosen, const std::string& thing,
                     const std::string& entry_point) {
  std::size_t defining = 0, later = 0, python = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    defining += candidates[i].defines;
    later += candidates[i].defines && i > chosen;
    python += candidates[i].python;
  }
  if (!candidates[chosen].defines) {
    return python == 1 ? "the only Python " + thing : "the longest of " + counted(python, "Python " + thing);
  }
  if (defining == 1) return "the only one of " + counted(candidates.size(), thing) + " that defines " + entry_point;
  std::string others = counted(defining, thing) + " that define " + entry_point;
  return later == 0 ? "last of " + others : "last complete one of " + others;
}

// `only` describes a block without others.
Finding pick(std::vector<CodeBlock> blocks, const std::string& entry_point, const std::string& thing,
             const std::string& only) {
  std::vector<Candidate> candidates = make_candidates(std::move(blocks), entry_point);
  std::optional<std::size_t> index = choose(candidates);
  if (!index) return {};
  const Candidate& chosen = candidates[*index];
  JoinedCode joined{.code = chosen.block.code};
  if (chosen.defines && candidates.size() > 1) joined = join_blocks(candidates, *index);
  Finding finding{.found = true, .defines = chosen.defines, .whole = chosen.whole(), .code = std::move(joined.code)};
  if (!chosen.defines && !entry_point.empty()) finding.how = entry_point + " is not defined anywhere; took ";
  finding.how += candidates.size() == 1 ? only : describe(candidates, *index, thing, entry_point);
  if (chosen.cut) finding.how += ", which is cut off";
  if (chosen.sketch) finding.how += ", which has no forward of its own";
  if (joined.imports > 0) finding.how += ", with " + counted(joined.imports, "import") + " of others";
  if (joined.helpers > 0) finding.how += ", with " + counted(joined.helpers, "helper block");
  return finding;
}

std::vector<CodeBlock> region_blocks(std::string_view text) {
  std::vector<CodeBlock> blocks;
  for (const PythonRegion& region : find_python_regions(text)) {
    blocks.push_back({.language = "", .code = std::string(region.text), .closed = !region.reaches_end});
  }
  return blocks;
}

// Prose may follow code whose fence was never closed, a shell may write the code to a file, JSON may hold it.
std::vector<CodeBlock> fenced_blocks(std::string_view text, const std::string& entry_point) {
  std::vector<CodeBlock> blocks = find_fenced_blocks(text);
  for (CodeBlock& block : blocks) {
    if (std::optional<std::string> code = json_code(block.code, entry_point)) {
      block.code = clean_bytes(*code);
      block.language.clear();
    }
    bool foreign = is_foreign_language(block.language);
    if (foreign ? block.code.find(entry_point) == std::string::npos : block.closed) continue;
    std::vector<PythonRegion> regions = find_python_regions(block.code);
    if (regions.empty()) continue;
    std::string_view code = block.code;
    std::size_t begin = foreign ? static_cast<std::size_t>(regions.front().text.begin() - code.begin()) : 0;
    std::size_t end = static_cast<std::size_t>(regions.back().text.end() - code.begin());
    block.closed = block.closed || !regions.back().reaches_end;
    block.code = std::string(code.substr(begin, end - begin));
  }
  return blocks;
}

// The answer is the file, if all of it is one piece of Python; fences in it belong to docstrings then.
Finding whole_text(std::string_view text, const std::string& entry_point) {
  std::vector<PythonRegion> regions = find_python_regions(text);
  if (regions.size() != 1 || !regions[0].reaches_end || trim(regions[0].text) != trim(text)) return {};
  CodeBlock block{.language = "", .code = std::string(text), .closed = false};
  return pick({std::move(block)}, entry_point, "text", "the whole answer");
}

Finding search(std::string_view text, const std::string& entry_point) {
  Finding whole = whole_text(text, entry_point);
  if (whole.whole || (whole.found && text.find("```") == std::string_view::npos)) return whole;
  std::vector<CodeBlock> fenced = fenced_blocks(text, entry_point);
  std::size_t count = fenced.size();
  Finding best = pick(std::move(fenced), entry_point, "fenced block", "the only fenced block");
  auto consider = [&](Finding other) {
    bool better = (other.whole && !best.whole) || (other.defines && !best.defines) || (other.found && !best.found);
    if (better) best = std::move(other);
  };
  // Nothing outside the fences can be better if the name is nowhere.
  bool settled = best.whole || (best.found && text.find(entry_point) == std::string_view::npos);
  if (!settled) consider(pick(find_tagged_blocks(text), entry_point, "tagged block", "the only tagged block"));
  if (!settled && !best.whole) {
    std::string plain(text);
    if (std::optional<std::string> unescaped = unescape_flat_code(plain)) plain = clean_bytes(*unescaped);
    plain = without_line_prefixes(std::move(plain), "");
    consider(pick(region_blocks(plain), entry_point, "unfenced passage", "the only unfenced passage"));
  }
  best.fenced = count;
  return best;
}

std::string why_nothing(std::size_t fenced, const std::string& entry_point) {
  std::string reason = "no Python code in the answer: ";
  if (fenced == 0) return reason + "no fenced block, and no line outside that begins Python code";
  std::string named = entry_point.empty() ? "looks" : "defines " + entry_point + " or looks";
  return reason + counted(fenced, "fenced block") + ", none " + named + " like Python";
}

ExtractedCode extract(std::string_view bytes, const std::string& entry_point, int json_depth);

ExtractedCode extract_from_json(std::string_view text, const std::string& entry_point, int json_depth) {
  if (json_depth == kMaxJsonDepth) return {};
  std::optional<std::string> inner = json_code(text, entry_point);
  if (!inner) return {};
  ExtractedCode result = extract(*inner, entry_point, json_depth + 1);
  result.reason += ", in a JSON string";
  return result;
}

ExtractedCode extract(std::string_view bytes, const std::string& entry_point, int json_depth) {
  std::string text = clean_bytes(bytes);
  if (trim(text).empty()) return {.found = false, .code = "", .reason = "the answer is empty"};
  if (ExtractedCode inner = extract_from_json(text, entry_point, json_depth); inner.found) return inner;
  AnswerLayers layers = split_layers(text);
  Finding best = search(layers.answer, entry_point);
  if (!layers.final.empty()) {
    Finding final = search(layers.final, entry_point);
    if (final.found && (final.defines || !best.defines)) best = std::move(final);
  }
  if (!best.found && !layers.thinking.empty()) {
    std::size_t fenced = best.fenced;
    best = search(layers.thinking, entry_point);
    best.how += ", from the thinking: there is no code outside it";
    best.fenced += fenced;
  }
  if (best.found) return {.found = true, .code = std::move(best.code), .reason = std::move(best.how)};
  // A tool call, say: JSON with something around it.
  if (std::size_t brace = text.find('{'); brace != std::string::npos) {
    ExtractedCode inner = extract_from_json(std::string_view(text).substr(brace), entry_point, json_depth);
    if (inner.found) return inner;
  }
  if (trim(layers.answer).empty() && trim(layers.thinking).empty()) {
    return {.found = false, .code = "", .reason = "the answer is empty but for special tokens"};
  }
  return {.found = false, .code = "", .reason = why_nothing(best.fenced, entry_point)};
}

}  // namespace

ExtractedCode extract_code(std::string_view answer, const ExtractOptions& options) {
  return extract(answer, options.entry_point, /*json_depth=*/0);
}

}  // namespace tritonrl::text
