#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tritonrl::report {

// Charts as data. chart/*.cpp draws each as SVG, page/markdown.cpp as text.

using Point = std::pair<double, double>;

struct Curve {
  std::string name;
  std::vector<Point> points;  // x ascending; those whose y is no finite number are left out
  int colour = -1;            // -1: by its place in the chart
};

// One value over the steps of a run, several runs or values in one picture.
struct LineChart {
  std::string title, x_label;
  std::vector<Curve> curves;
  bool percent = false;                       // values are shares: the axis runs from 0 to 100 %
  bool smooth = false;                        // noisy: the mean of neighbours in front of the faint values themselves
  std::optional<double> mark = std::nullopt;  // a level to be compared with
  std::string mark_name = {};
};

// Shares of a whole over steps, one upon the other.
struct AreaChart {
  std::string title, x_label;
  std::vector<Curve> curves;  // with the same x
};

// One bar a name.
struct BarChart {
  struct Bar {
    std::string name;
    double value = 0;
    std::string text;  // of the value: "184 of 200 (92 %)"
    bool good = true;  // else drawn as a failure
  };
  std::string title;
  std::vector<Bar> bars;
  double whole = 0;  // the value of a full bar; 0: the largest
};

// How many values lie where, on a logarithmic scale around 1.
struct RatioHistogram {
  std::string title, x_label;
  std::vector<double> values;  // above 0
};

// Rates with their intervals, in percent, one row a rate.
struct IntervalChart {
  struct Row {
    std::string name;
    double value = 0, low = 0, high = 1;
  };
  std::string title;
  std::vector<Row> rows;
};

using Chart = std::variant<LineChart, AreaChart, BarChart, RatioHistogram, IntervalChart>;

// Bins of a histogram: each half a power of two wide, `low` its lower end.
struct RatioBin {
  double low = 0, high = 0;
  int count = 0;
};
std::vector<RatioBin> ratio_bins(const std::vector<double>& values);

// Whether a chart has so many values that their mean is drawn in front of them.
bool draws_means(const LineChart& chart);

// At most `most` points, each the mean of those around its place; gaps are left out. Fewer points stay as they are.
std::vector<Point> thinned(const std::vector<Point>& points, std::size_t most);
// The mean of the `width` points around each; at the ends of fewer, and more of them on the inner side.
std::vector<Point> smoothed(const std::vector<Point>& points, std::size_t width);

}  // namespace tritonrl::report
