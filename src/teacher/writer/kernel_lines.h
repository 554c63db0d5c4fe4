#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "teacher/graph/graph.h"

namespace tritonrl::teacher {

// Lines of Python, indented by blocks.
class Lines {
 public:
  void add(std::string_view line);
  void begin(std::string_view line);  // one that opens a block
  void end() { --depth_; }
  const std::string& text() const { return text_; }  // each with its newline
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
  int depth_ = 1;  // inside a function
};

// How rows and places are spread over a tile, where a kernel computes several rows at once; empty: one row.
struct Spread {
  std::string row = {};    // "[:, None]": of a value a row beside elements
  std::string place = {};  // "[None, :]": of a place in the row
};

// What a step is called where it is used, and how it is computed.
std::string operand_text(const Graph& graph, int step);
std::string step_text(const Graph& graph, int step, const Spread& spread = {});
// Gives v1, v2, … to the steps that the outputs need.
void name_steps(Graph& graph, const std::vector<int>& outputs);
// Whether the outputs need it, by step.
std::vector<bool> needed_steps(const Graph& graph, const std::vector<int>& outputs);

// "a, b, c"
std::string joined(const std::vector<std::string>& items);

}  // namespace tritonrl::teacher
