#include "text/fences.h"

#include <optional>
#include <string>

#include "text/chars.h"
#include "text/fence_line.h"
#include "text/python_lines.h"
#include "text/python_scan.h"

namespace tritonrl::text {
namespace {

constexpr int kMaxNesting = 3;

// Where a run of marks as long as the fence begins in the code of a line, npos if nowhere.
std::size_t fence_in_code(std::string_view line, std::string_view kinds, const OpeningFence& fence) {
  std::size_t run = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    run = line[i] == fence.mark && kinds[i] == kCode ? run + 1 : 0;
    if (run == fence.length) return i + 1 - run;
  }
  return std::string_view::npos;
}

class FenceReader {
 public:
  explicit FenceReader(std::string_view text) : text_(text), lookahead_(text.size()) {}

  std::vector<CodeBlock> read() {
    LineCursor lines(text_);
    bool after_text = false;
    while (lines.next()) {
      OpeningFence fence = opening_fence(lines.line());
      bool opens = fence.mark != 0 && !(fence.needs_code && !code_follows(lines.end()));
      // Tildes right below a line underline it, in reStructuredText.
      if (fence.mark == '~' && fence.length > 3 && fence.language.empty() && after_text) opens = false;
      after_text = !trim(lines.line()).empty();
      if (opens) lines = LineCursor(text_, read_block(fence, lines.end()));
    }
    return std::move(blocks_);
  }

 private:
  bool code_follows(std::size_t at) const {
    LineCursor lines(text_, at);
    return lines.next() && is_code(line_shape(lines.line()));
  }

  // Reads the block whose first line begins at `at`; returns where to go on.
  std::size_t read_block(const OpeningFence& fence, std::size_t at) {
    CodeBlock block{.language = fence.language, .code = fence.code.empty() ? "" : fence.code + "\n", .closed = true};
    bool may_be_python = !is_foreign_language(block.language);
    PythonScanner scanner;
    if (!fence.code.empty()) scanner.scan(fence.code);
    // The first fence that stands in a string: the end after all, if the string never closes.
    struct Doubt {
      std::size_t code_size, resume;
    };
    std::optional<Doubt> doubt;
    int quotes = fence.quotes;
    std::string kinds;
    LineCursor lines(text_, at);
    while (lines.next()) {
      int found = 0;
      std::string_view line = without_quotes(lines.line(), quotes, &found);
      if (lines.begin() == at && found == 0) quotes = 0;
      if (found < quotes && !trim(line).empty()) return finish(std::move(block), lines.begin());
      std::size_t length = fence_length(line, fence.mark);
      if (length >= fence.length) {
        bool in_string = may_be_python && scanner.in_string();
        if (!in_string) return finish(std::move(block), opens_next(line, length) ? lines.begin() : lines.end());
        if (!doubt) doubt = Doubt{block.code.size(), opens_next(line, length) ? lines.begin() : lines.end()};
      }
      if (doubt) {
        if (lookahead_ <= line.size()) break;
        lookahead_ -= line.size() + 1;
      }
      if (may_be_python) {
        kinds.clear();
        scanner.scan(line, &kinds);
        std::size_t inside = fence.mark == '`' ? fence_in_code(line, kinds, fence) : std::string_view::npos;
        if (inside != std::string_view::npos) {
          block.code.append(line.substr(0, inside)) += '\n';
          return finish(std::move(block), lines.end());
        }
      }
      block.code.append(line) += '\n';
    }
    if (doubt && scanner.in_string()) {
      block.code.resize(doubt->code_size);
      return finish(std::move(block), doubt->resume);
    }
    block.closed = false;
    return finish(std::move(block), text_.size());
  }

  static bool opens_next(std::string_view line, std::size_t length) {
    if (trim(trim_left(line).substr(length)).empty()) return false;
    OpeningFence next = opening_fence(line);
    return next.mark != 0 && (is_python_language(next.language) || is_foreign_language(next.language) ||
                              next.language == "diff" || !next.code.empty());
  }

  std::size_t finish(CodeBlock block, std::size_t resume) {
    if (!trim(block.code).empty()) blocks_.push_back(std::move(block));
    return resume;
  }

  std::string_view text_;
  std::size_t lookahead_;  // bytes left to look for the ends of strings, so that the time stays linear
  std::vector<CodeBlock> blocks_;
};

bool holds_blocks(const CodeBlock& block) {
  if (block.language == "markdown" || block.language == "md") return true;
  LineCursor lines(trim(block.code));
  return lines.next() && opening_fence(lines.line()).mark != 0;
}

void find_blocks(std::string_view text, int nesting, std::vector<CodeBlock>* found) {
  for (CodeBlock& block : FenceReader(text).read()) {
    std::size_t before = found->size();
    if (nesting < kMaxNesting && holds_blocks(block)) find_blocks(block.code, nesting + 1, found);
    if (found->size() == before) found->push_back(std::move(block));
  }
}

}  // namespace

std::vector<CodeBlock> find_fenced_blocks(std::string_view text) {
  std::vector<CodeBlock> found;
  find_blocks(text, 0, &found);
  return found;
}

}  // namespace tritonrl::text
