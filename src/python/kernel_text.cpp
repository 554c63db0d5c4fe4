#include "python/kernel_text.h"

#include <algorithm>
#include <string_view>

#include "python/code_lines.h"

namespace tritonrl::python {
namespace {

constexpr std::size_t kMostSourceBytes = std::size_t{4} << 20;
constexpr const char* kJit = "_tritonrl_jit";  // src/python/compiler/module.py knows it too
constexpr const char* kModules[] = {"triton", "math", "torch._inductor.runtime"};

bool is_letter(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || text.size() > 500 || !is_letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool is_dotted_name(std::string_view text) {
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!is_identifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool allowed_module(std::string_view name) {
  return std::any_of(std::begin(kModules), std::end(kModules), [&](std::string_view module) {
    return name == module || (name.starts_with(module) && name.substr(module.size()).starts_with('.'));
  });
}

// Line ends as Python counts them.
std::string unix_lines(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

class Composer {
 public:
  void line(const std::string& text) {
    out_.text += text + "\n";
    ++line_;
  }

  void function(const program::KernelFunction& function) {
    line("");
    line(std::string("@") + kJit);
    KernelText::Function placed{.name = function.name, .first_line = line_, .lines = 0, .at = function.at};
    std::string source = unix_lines(function.source);
    if (!source.ends_with('\n')) source += '\n';
    CodeLines code = code_lines(source);
    placed.lines = static_cast<int>(code.from.size());
    placed.from = std::move(code.from);
    out_.text += code.text;
    line_ += placed.lines;
    out_.functions.push_back(std::move(placed));
  }

  KernelText take() { return std::move(out_); }

 private:
  KernelText out_;
  int line_ = 1;  // the next line's number
};

base::Result<std::string> import_line(const std::string& name, const std::string& origin) {
  const std::size_t colon = origin.find(':');
  const std::string module = origin.substr(0, colon);
  if (!is_identifier(name) || !is_dotted_name(module)) return base::Failure{"an import of " + origin + " as " + name};
  if (!allowed_module(module)) {
    return base::Failure{"an import of " + module + "; a kernel may import triton, math and torch._inductor.runtime"};
  }
  if (colon == std::string::npos) return "import " + module + " as " + name;
  const std::string what = origin.substr(colon + 1);
  if (!is_identifier(what)) return base::Failure{"an import of " + origin};
  return "from " + module + " import " + what + " as " + name;
}

}  // namespace

const KernelText::Function* KernelText::function_at(int line) const {
  for (const Function& function : functions) {
    if (line >= function.first_line && line < function.first_line + function.lines) return &function;
  }
  return nullptr;
}

program::SourceLine KernelText::original(int line) const {
  const Function* function = function_at(line);
  if (function == nullptr || function->at.file < 0) return {};
  return {function->at.file, function->at.line + function->from[static_cast<std::size_t>(line - function->first_line)]};
}

std::string KernelText::code(int line) const {
  std::size_t begin = 0;
  for (int i = 1; i < line && begin != std::string::npos; ++i) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (line < 1 || begin == std::string::npos) return {};
  const std::string found = text.substr(begin, text.find('\n', begin) - begin);
  const std::size_t first = found.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return found.substr(first, found.find_last_not_of(" \t") + 1 - first);
}

base::Result<KernelText> compose(const program::Kernel& kernel) {
  Composer composer;
  composer.line(std::string("from triton import jit as ").append(kJit));
  bool uses_tl = false, imports_tl = false;
  for (const auto& [name, value] : kernel.constants) uses_tl = uses_tl || value.find("tl.") != std::string::npos;
  for (const auto& [name, origin] : kernel.imports) imports_tl = imports_tl || name == "tl";
  if (uses_tl) composer.line("import triton.language as tl");
  for (const auto& [name, value] : kernel.constants) {
    if (!is_identifier(name) || value.find_first_of("\r\n") != std::string::npos) {
      return base::Failure{"the constant " + name + " is no literal"};
    }
    composer.line(name + " = " + value);
  }
  if (uses_tl && !imports_tl) composer.line("del tl");  // a kernel that forgot to import it must not find it
  for (const auto& [name, origin] : kernel.imports) {
    const base::Result<std::string> line = import_line(name, origin);
    if (!line.ok()) return base::Failure{line.error()};
    composer.line(line.value());
  }
  std::size_t bytes = 0;
  for (const program::KernelFunction& function : kernel.functions) {
    bytes += function.source.size();
    if (!is_identifier(function.name) || !function.source.starts_with("def ") ||
        function.source.find('\0') != std::string::npos) {
      return base::Failure{"the source of " + function.name + " does not begin with its def"};
    }
    if (bytes > kMostSourceBytes)
      return base::Failure{"more than " + std::to_string(kMostSourceBytes) + " bytes of source"};
    composer.function(function);
  }
  if (kernel.functions.empty()) return base::Failure{"the kernel has no function"};
  return composer.take();
}

}  // namespace tritonrl::python
