#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "teacher/facts/facts.h"
#include "teacher/operators/operator.h"

namespace tritonrl::teacher {

// What the reductions of a region run over, in terms of the full shape.
struct RowSpec {
  enum class Form : std::uint8_t {
    kRun,     // dimensions first..last, neighbours
    kAround,  // all but the dimensions first..last, which are in the middle
    kGroups,  // group norm: each sample's group of channels and all its positions
    kAll,
  };
  Form form = Form::kRun;
  int first = 0, last = 0;  // from 0
  int written = 0;          // a single dimension as the text has it, perhaps negative
  int trailing = 0;         // layer norm: the last so many dimensions, whatever the rank; 0: not told so
  std::string groups = {};  // kGroups: name of the number of groups among the leaves

  // Whether the same elements are a row, however the text spells it.
  bool operator==(const RowSpec& other) const {
    return form == other.form && first == other.first && last == other.last && groups == other.groups;
  }
};

struct InnerRegion;

// A value that comes from outside the region.
struct Leaf {
  const syntax::SyntaxNode* node = nullptr;       // the expression, or
  std::string path = {};                          // below `node`: an attribute of the module that is called ("weight")
  std::string key = {};                           // the expression's text: the same one is one leaf
  std::string name = {};                          // in the kernel and in its host function
  std::shared_ptr<const InnerRegion> inner = {};  // the value is the result of another region, which comes first
  Fact fact = {};                                 // a tensor or a number
  bool channel = false;                           // one-dimensional, along dimension 1
  bool unbiased = false;                          // of a layer's convolution, whose bias the region adds
  bool whole = false;                             // passed to a source kernel as it is, not loaded by the epilogue

  bool is_number() const { return fact.is_number(); }
};

// Where a value lives: the same for every element, one a row, or one an element.
enum class Domain : std::uint8_t { kOne, kRow, kFull };

struct Step {
  enum class Kind : std::uint8_t { kLeaf, kLiteral, kPointwise, kReduce, kScan, kCount, kPlace, kBatch, kSource };
  Kind kind = Kind::kPointwise;
  int leaf = -1;          // kLeaf
  std::string text = {};  // kPointwise: an expression with operands as $0, $1; kLiteral: itself; kReduce, kScan: "sum"
  std::vector<int> operands = {};  // earlier steps
  Shape shape = {};                // of the value; empty for numbers
  Domain domain = Domain::kOne;
  bool settled = false;   // domain and space are known; else leaves and what is computed of leaves alone
  bool dropped = false;   // kRow: without the dimensions that were reduced
  bool truth = false;     // a value of comparisons
  int depth = 0;          // how many reductions lie one behind the other in it
  std::string name = {};  // in the kernel
};

// Operators over leaves that become one kernel (full reductions: a few): one statement a step.
class Graph {
 public:
  std::vector<Leaf> leaves = {};
  std::vector<Step> steps = {};
  std::optional<RowSpec> rows;
  Shape full = {};                          // with rows: the shape that is reduced
  int source = -1;                          // the step that a source kernel computes
  std::optional<Bound> source_op;           // and what it is
  std::vector<std::string> operators = {};  // names of the table, in reading order

  int add_leaf(Leaf leaf);  // index of the leaf; the same expression is one leaf
  int leaf_step(int leaf);
  int literal(std::string text);
  int number_step(
      Step::Kind kind);  // kCount: elements of a row, kPlace: index in it, kBatch: size of the first dimension
  // None (-1): the values do not stand in one kernel.
  int pointwise(std::string text, std::vector<int> operands, bool truth);
  int reduce(const std::string& kind, int value, const RowSpec& spec);  // keeps the dimensions, as 1
  int scan(const std::string& kind, int value, const RowSpec& spec);
  int add_source(const Bound& bound, const Shape& shape);

  // Where reading stands, to come back to if what follows is no part of the region. Copying the graph would cost more
  // than all else that reading does.
  struct Mark {
    struct Unsettled {
      int step;
      Domain domain;
      Shape shape;  // of leaves empty: theirs is the leaf's
    };
    std::size_t leaves = 0, steps = 0, operators = 0;
    std::optional<RowSpec> rows;
    Shape full;
    int source = -1;
    std::vector<Unsettled> unsettled;
  };
  Mark mark() const;
  void back_to(const Mark& mark);

  // A leaf along all rows' results: the classes that a loss asks for.
  bool settle_as_row(int step);

  // Elements of a row at the module's own sizes, with rows. Nothing: how many groups there are is not known.
  std::optional<std::int64_t> row_length() const;

  // Settles what is left and checks that the outputs can be stored. False: it is no region.
  bool finish(const std::vector<int>& outputs);

  // The value of an operator that does not keep the dimensions which it reduced: the step itself, or a copy of one
  // before `fresh`, which others use. -1: it is no value of rows.
  int drop_rows(int step, std::size_t fresh);

 private:
  bool settle(int step, bool dropped);
  bool take_rows(int value, const RowSpec& spec);
  bool is_reduced(std::size_t axis) const;
  Shape dropped_shape() const;
  int add(Step step);
  int find_same(const Step& step) const;
};

// A region whose result another one starts from.
struct InnerRegion {
  Graph graph;
  int output = -1;
  std::string spoken = {};  // for the plan
};

}  // namespace tritonrl::teacher
