#include "text/candidate.h"

#include <algorithm>

#include "text/block_cleanup.h"
#include "text/chars.h"
#include "text/looks_like_python.h"
#include "text/python_lines.h"
#include "text/python_scan.h"

namespace tritonrl::text {
namespace {

// What a body holds when there is nothing in it.
bool is_placeholder(std::string_view line) {
  std::string_view text = trim(line);
  return text.empty() || text[0] == '#' || text == "..." || text == "pass" || text.starts_with("raise NotImplemented");
}

// The text between the brackets of "class Name(...)", empty without them.
std::string_view bases(std::string_view class_text) {
  std::size_t line = class_text.find("class ");
  std::size_t open = class_text.find_first_of("(:", line);
  if (open == std::string_view::npos || class_text[open] != '(') return {};
  return trim(class_text.substr(open + 1, class_text.find(')', open) - open - 1));
}

// C++ has classes too.
bool has_python_header(std::string_view class_text) {
  LineCursor lines(class_text);
  while (lines.next()) {
    if (leading_word(lines.line()) == "class") return line_shape(lines.line()) == LineShape::kDefinition;
  }
  return false;
}

// A class of nn.Module without forward, or with one that has no body, only shows where something goes.
bool is_sketch(const TopStatement& statement) {
  if (statement.kind != TopStatement::Kind::kClass) return false;
  std::string_view base = bases(statement.text);
  bool may_inherit = !base.empty() && !base.ends_with("Module") && base != "object";
  PythonScanner scanner;
  std::size_t forward = std::string_view::npos;  // the indentation of its def
  LineCursor lines(statement.text);
  while (lines.next()) {
    std::string_view text = trim(lines.line());
    bool fresh = !scanner.in_statement();
    if (fresh && !text.empty()) {
      if (text.starts_with("async ")) text = trim_left(text.substr(6));
      if (text.starts_with("def forward(") || text.starts_with("def __call__(") || text.starts_with("def forward (")) {
        forward = indentation(lines.line());
        // def forward(self, x): return x
        std::size_t colon = text.rfind("):");
        if (colon != std::string_view::npos && !is_placeholder(text.substr(colon + 2))) return false;
      } else if (text.starts_with("forward =") || text.starts_with("__call__ =")) {
        return false;
      } else if (forward != std::string_view::npos) {
        if (indentation(lines.line()) <= forward) forward = std::string_view::npos;
        bool docstring = text.starts_with("\"\"\"") || text.starts_with("'''");
        if (forward != std::string_view::npos && !docstring && !is_placeholder(text)) return false;
      }
    }
    scanner.scan(lines.line());
  }
  return !may_inherit;
}

Candidate make_candidate(CodeBlock block, std::string_view entry_point) {
  Candidate candidate;
  bool looks = looks_like_python(block.code);
  bool foreign = is_foreign_language(block.language);
  bool named = !entry_point.empty() && block.code.find(entry_point) != std::string::npos;
  if (named && (looks || !foreign)) {
    PythonOutline outline = python_outline(block.code);
    for (const TopStatement& statement : outline.statements) {
      if (statement.kind == TopStatement::Kind::kImport) continue;
      if (std::find(statement.names.begin(), statement.names.end(), entry_point) == statement.names.end()) continue;
      if (statement.kind == TopStatement::Kind::kClass && !has_python_header(statement.text)) continue;
      candidate.defines = true;
      candidate.sketch = is_sketch(statement);
    }
    candidate.cut = candidate.defines && !block.closed && outline.cut;
  }
  candidate.python = !foreign && (looks || candidate.defines);
  candidate.block = std::move(block);
  return candidate;
}

}  // namespace

std::vector<Candidate> make_candidates(std::vector<CodeBlock> blocks, std::string_view entry_point) {
  std::vector<Candidate> candidates;
  for (CodeBlock& block : blocks) {
    block.code = clean_block(block);
    if (!block.code.empty()) candidates.push_back(make_candidate(std::move(block), entry_point));
  }
  return candidates;
}

std::optional<std::size_t> choose(const std::vector<Candidate>& candidates) {
  auto rank = [](const Candidate& c) {
    if (!c.defines) return c.python ? 1 : 0;
    return (c.python ? 4 : 2) + (c.whole() ? 1 : 0);
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    int mine = rank(candidates[i]);
    if (mine == 0) continue;
    int its = best ? rank(candidates[*best]) : 0;
    bool longer = mine > 1 || !best || candidates[i].block.code.size() >= candidates[*best].block.code.size();
    if (mine > its || (mine == its && longer)) best = i;
  }
  return best;
}

}  // namespace tritonrl::text
