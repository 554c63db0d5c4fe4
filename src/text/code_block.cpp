#include "text/code_block.h"

#include <unordered_set>

namespace tritonrl::text {

bool is_python_language(std::string_view language) {
  static const std::unordered_set<std::string_view> kNames = {"py", "py3", "pycon", "triton", "pytorch", "torch"};
  return language.starts_with("python") || language.starts_with("ipython") || language.ends_with(".py") ||
         kNames.contains(language);
}

bool is_foreign_language(std::string_view language) {
  static const std::unordered_set<std::string_view> kNames = {
      "bash", "sh",     "shell", "zsh",  "fish",       "console", "terminal",   "powershell", "bat",       "cmd",
      "json", "jsonc",  "jsonl", "yaml", "yml",        "toml",    "ini",        "cfg",        "xml",       "html",
      "css",  "csv",    "text",  "txt",  "plaintext",  "plain",   "output",     "log",        "none",      "markdown",
      "md",   "latex",  "tex",   "math", "mermaid",    "dot",     "cpp",        "c++",        "cc",        "cxx",
      "c",    "h",      "hpp",   "cuda", "cu",         "hip",     "opencl",     "glsl",       "metal",     "ptx",
      "sass", "asm",    "llvm",  "mlir", "ttir",       "ttgir",   "rust",       "go",         "java",      "kotlin",
      "js",   "ts",     "jsx",   "tsx",  "javascript", "swift",   "typescript", "ruby",       "perl",      "php",
      "r",    "matlab", "julia", "sql",  "lua",        "cmake",   "makefile",   "make",       "dockerfile"};
  return kNames.contains(language);
}

}  // namespace tritonrl::text
