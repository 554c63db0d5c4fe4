#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/chart/chart.h"

namespace tritonrl::report {

// A report as what it says, not how it looks: sections write it (sections/), pages show it (page/): HTML and Markdown.
// Every text may be hostile: models wrote answers, candidates wrote messages. Pages escape all of them.

// Above some blocks of a section.
struct Heading {
  std::string text;
};

struct Paragraph {
  std::string text;
};

// What a reader must know before believing a figure.
struct Notice {
  std::string text;
};

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::string note = {};  // under it
  int words = 1;          // so many columns at the left hold words; all others hold numbers
};

// A few figures in large print.
struct Highlights {
  struct Item {
    std::string value, label, note;
  };
  std::vector<Item> items;
};

struct Charts {
  std::vector<Chart> charts;  // beside each other where there is room
};

// A candidate's code with its verdict.
struct Listing {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
  std::string message;  // what the judge held against it, or wants to be known
  std::string code;
  int marked_line = 0;  // that the verdict points to; 0: none
  bool open = true;     // shown at once
};

using Block = std::variant<Heading, Paragraph, Notice, Table, Highlights, Charts, Listing>;

struct Section {
  std::string id, title;
  std::vector<Block> blocks;
};

struct Document {
  std::string title, subtitle;
  std::vector<Section> sections;
};

}  // namespace tritonrl::report
