#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/chart/axis.h"
#include "report/page/html_text.h"
#include "report/page/page.h"

namespace tritonrl::report {
namespace {

constexpr std::size_t kMostLines = 60;  // of a listing; the page has the rest

// One line of text in which nothing is markup: neither of Markdown nor of HTML, which Markdown lets through.
std::string inline_text(std::string_view text, std::size_t most = 400) {
  std::string out;
  for (const char c : visible_text(shortened(text, most))) {
    if (c == '\n' || c == '\r' || c == '\t') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*<>[]|").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string bar_of(double share, int width) {
  const int full = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  std::string out;
  for (int i = 0; i < width; ++i) out += i < full ? "█" : "·";
  return out;
}

// A curve as a row of blocks of eight heights.
std::string spark_of(const std::vector<Point>& points) {
  static constexpr const char* kHeights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                               [](const Point& a, const Point& b) { return a.second < b.second; });
  std::string out;
  for (const Point& point : points) {
    const double span = high->second - low->second;
    const double height = span > 0 ? (point.second - low->second) / span : 0.5;
    out += kHeights[static_cast<int>(std::clamp(height, 0.0, 1.0) * 7.0 + 0.5)];
  }
  return out;
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string row_text(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) {
  std::string out = "|";
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::string cell = i < row.size() ? row[i] : "";
    out += " " + cell + std::string(widths[i] - std::min(widths[i], characters(cell)), ' ') + " |";
  }
  return out + "\n";
}

std::string block_text(const Heading& heading) {
  return "### " + inline_text(heading.text) + "\n\n";
}

std::string block_text(const Paragraph& paragraph) {
  return inline_text(paragraph.text, 4000) + "\n\n";
}

std::string block_text(const Notice& notice) {
  return "> " + inline_text(notice.text, 4000) + "\n\n";
}

std::string block_text(const Table& table) {
  std::vector<std::vector<std::string>> rows(1, table.head);
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> widths(table.head.size(), 3);
  for (std::vector<std::string>& row : rows) {
    row.resize(widths.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = inline_text(row[i], 160);
      widths[i] = std::max(widths[i], characters(row[i]));
    }
  }
  std::string out = row_text(rows[0], widths) + "|";
  for (std::size_t i = 0; i < widths.size(); ++i)
    out += i < static_cast<std::size_t>(table.words) ? std::string(widths[i] + 2, '-') + "|"
                                                     : std::string(widths[i] + 1, '-') + ":|";
  out += "\n";
  for (std::size_t i = 1; i < rows.size(); ++i) out += row_text(rows[i], widths);
  return out + "\n" + (table.note.empty() ? "" : inline_text(table.note, 2000) + "\n\n");
}

std::string block_text(const Highlights& highlights) {
  std::string out;
  for (const Highlights::Item& item : highlights.items)
    out += "- **" + inline_text(item.value) + "** " + inline_text(item.label) +
           (item.note.empty() ? "" : " (" + inline_text(item.note) + ")") + "\n";
  return out + "\n";
}

// Rows of names and texts with equal columns, as they stand: in a fence.
std::string fenced(const std::string& title, const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [name, text] : rows) width = std::max(width, characters(name));
  std::string out = "**" + inline_text(title) + "**\n\n```text\n";
  for (const auto& [name, text] : rows) out += name + std::string(width - characters(name) + 2, ' ') + text + "\n";
  return out + "```\n\n";
}

// A name within a fence: one line, without what could end it.
std::string plain_name(std::string_view text) {
  std::string out = visible_text(shortened(text, 60));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '`' || (c >= 0 && c < 0x20); }, ' ');
  return out;
}

std::string curves_text(const std::string& title, const std::vector<Curve>& curves, bool percent) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Curve& curve : curves) {
    const std::vector<Point> points = thinned(curve.points, 48);
    if (points.empty()) continue;
    const auto value = [&](double y) { return tick_text(percent ? 100 * y : y) + (percent ? " %" : ""); };
    rows.emplace_back(plain_name(curve.name),
                      spark_of(points) + "  " + value(points.front().second) + " → " + value(points.back().second));
  }
  return rows.empty() ? "" : fenced(title, rows);
}

std::string chart_text(const LineChart& chart) {
  return curves_text(chart.title, chart.curves, chart.percent);
}

std::string chart_text(const AreaChart& chart) {
  return curves_text(chart.title, chart.curves, /*percent=*/false);
}

std::string chart_text(const BarChart& chart) {
  double whole = chart.whole;
  for (const BarChart::Bar& bar : chart.bars) whole = std::max(whole, bar.value);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const BarChart::Bar& bar : chart.bars)
    rows.emplace_back(plain_name(bar.name),
                      bar_of(whole > 0 ? bar.value / whole : 0, 30) + "  " + plain_name(bar.text));
  return fenced(chart.title, rows);
}

std::string chart_text(const RatioHistogram& chart) {
  const std::vector<RatioBin> bins = ratio_bins(chart.values);
  int most = 1;
  for (const RatioBin& bin : bins) most = std::max(most, bin.count);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const RatioBin& bin : bins) {
    char range[40];
    std::snprintf(range, sizeof(range), "%.2f to %.2f", bin.low, bin.high);
    rows.emplace_back(range, bar_of(static_cast<double>(bin.count) / most, 30) + "  " + std::to_string(bin.count));
  }
  return rows.empty() ? "" : fenced(chart.title + " (" + chart.x_label + ")", rows);
}

std::string chart_text(const IntervalChart& chart) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const IntervalChart::Row& row : chart.rows) {
    char text[80];
    std::snprintf(text, sizeof(text), "  %.1f %% (%.1f to %.1f)", 100 * row.value, 100 * row.low, 100 * row.high);
    rows.emplace_back(plain_name(row.name), bar_of(row.value, 30) + text);
  }
  return rows.empty() ? "" : fenced(chart.title, rows);
}

std::string block_text(const Charts& charts) {
  std::string out;
  for (const Chart& chart : charts.charts) out += std::visit([](const auto& each) { return chart_text(each); }, chart);
  return out;
}

// Code in a fence that is longer than any within it.
std::string block_text(const Listing& listing) {
  std::string out = "#### " + inline_text(listing.title, 200) + "\n\n";
  for (const auto& [name, value] : listing.facts) out += "- " + inline_text(name) + ": " + inline_text(value) + "\n";
  out += "\n";
  if (!listing.message.empty()) out += "> " + inline_text(listing.message, 2000) + "\n\n";
  if (listing.code.empty()) return out;
  std::string code;
  std::size_t at = 0, lines = 0, longest = 2, run = 0;
  while (at < listing.code.size() && lines++ < kMostLines) {
    const std::size_t end = std::min(listing.code.find('\n', at), listing.code.size());
    code += visible_text(shortened(std::string_view(listing.code).substr(at, end - at), 400)) + "\n";
    at = end + 1;
  }
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  out += fence + "python\n" + code + (at < listing.code.size() ? "# …\n" : "") + fence + "\n\n";
  return out;
}

}  // namespace

std::string markdown_page(const Document& document) {
  std::string out = "# " + inline_text(document.title, 200) + "\n\n" + inline_text(document.subtitle) + "\n\n";
  for (const Section& section : document.sections) {
    out += "## " + inline_text(section.title) + "\n\n";
    for (const Block& block : section.blocks)
      out += std::visit([](const auto& each) { return block_text(each); }, block);
  }
  while (out.size() > 1 && out[out.size() - 2] == '\n') out.pop_back();
  return out;
}

}  // namespace tritonrl::report
