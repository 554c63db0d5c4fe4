#include "report/chart/svg.h"
#include "report/own_file.h"
#include "report/page/html_text.h"
#include "report/page/page.h"
#include "report/page/python_html.h"

namespace tritonrl::report {
namespace {

constexpr std::size_t kLongestText = 4000, kLongestCell = 400, kLongestCode = 60'000;

std::string element(const std::string& name, const std::string& inside, const std::string& kind = "") {
  return "<" + name + (kind.empty() ? "" : " class=\"" + kind + "\"") + ">" + inside + "</" + name + ">";
}

std::string block_html(const Heading& heading) {
  return element("h3", html_text(shortened(heading.text, kLongestCell))) + "\n";
}

std::string block_html(const Paragraph& paragraph) {
  return element("p", html_text(shortened(paragraph.text, kLongestText))) + "\n";
}

std::string block_html(const Notice& notice) {
  return element("p", html_text(shortened(notice.text, kLongestText)), "notice") + "\n";
}

std::string block_html(const Table& table) {
  const auto row_html = [&](const std::vector<std::string>& row, const char* cell) {
    std::string out;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool number = i >= static_cast<std::size_t>(table.words);
      out += element(cell, html_text(shortened(row[i], kLongestCell)), number ? "number" : "");
    }
    return element("tr", out);
  };
  std::string body;
  for (const std::vector<std::string>& row : table.rows) body += row_html(row, "td") + "\n";
  std::string out = "<div class=\"wide\">" +
                    element("table", element("thead", row_html(table.head, "th")) + "\n" + element("tbody", body),
                            table.words > 4 ? "broad" : "") +
                    "</div>\n";
  if (!table.note.empty()) out += element("p", html_text(table.note), "note") + "\n";
  return out;
}

std::string block_html(const Highlights& highlights) {
  std::string out;
  for (const Highlights::Item& item : highlights.items) {
    out += element("div", element("b", html_text(shortened(item.value, 40))) +
                              element("span", html_text(shortened(item.label, 80))) +
                              (item.note.empty() ? "" : element("small", html_text(shortened(item.note, 120)))));
  }
  return element("div", out, "highlights") + "\n";
}

std::string block_html(const Charts& charts) {
  std::string out;
  for (const Chart& chart : charts.charts) out += chart_html(chart);
  return out.empty() ? out : element("div", out, "charts") + "\n";
}

std::string block_html(const Listing& listing) {
  std::string facts;
  for (const auto& [name, value] : listing.facts)
    facts += element("span", element("b", html_text(name)) + " " + html_text(shortened(value, kLongestCell)));
  std::string out = "<details" + std::string(listing.open ? " open" : "") + "><summary>" +
                    html_text(shortened(listing.title, 200)) + "</summary>" + element("p", facts, "facts");
  if (!listing.message.empty()) out += element("p", html_text(shortened(listing.message, kLongestText)), "message");
  if (!listing.code.empty())
    out += "<pre tabindex=\"0\"><code>" + python_html(shortened(listing.code, kLongestCode), listing.marked_line) +
           "</code></pre>";
  return out + "</details>\n";
}

}  // namespace

std::string html_page(const Document& document) {
  std::string contents, body;
  for (const Section& section : document.sections) {
    contents += "<li><a href=\"#" + html_text(section.id) + "\">" + html_text(section.title) + "</a></li>";
    body += "<section id=\"" + html_text(section.id) + "\">\n" + element("h2", html_text(section.title)) + "\n";
    for (const Block& block : section.blocks)
      body += std::visit([](const auto& each) { return block_html(each); }, block);
    body += "</section>\n";
  }
  const std::string title = html_text(shortened(document.title, 200));
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         title + "</title>\n<style>\n" + std::string(own_file("page/style.css")) +
         "</style>\n</head>\n<body>\n<header>\n<h1>" + title + "</h1>\n" +
         element("p", html_text(document.subtitle), "subtitle") + "\n<nav><ul>" + contents +
         "</ul></nav>\n</header>\n<main>\n" + body + "</main>\n</body>\n</html>\n";
}

}  // namespace tritonrl::report
