#include "teacher/kernels/contraction.h"

#include <algorithm>

#include "teacher/kernels/kernel_text.h"
#include "teacher/kernels/tile.h"

namespace tritonrl::teacher {
namespace {

// Letters that play the same part; the kernel runs over all of them with one flat index.
struct Part {
  std::string letters = {};
  std::string index;  // "rows"
  std::string size;   // "M"

  bool has(char letter) const { return letters.find(letter) != std::string::npos; }
  // Names of one letter's index and size: those of the whole where it is alone.
  std::string index_of(char letter) const { return letters.size() == 1 ? index : index + number(letter); }
  std::string size_of(char letter) const { return letters.size() == 1 ? size : size + number(letter); }
  std::string number(char letter) const { return std::to_string(letters.find(letter) + 1); }
  std::vector<std::string> sizes() const {
    std::vector<std::string> out;
    for (const char letter : letters) out.push_back(size_of(letter));
    return out;
  }
};

bool repeats(const std::string& letters) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters.find(letters[i], i + 1) != std::string::npos) return true;
  }
  return false;
}

const Contraction::Size& size_of(const Contraction& contraction, char letter) {
  return *std::find_if(contraction.sizes.begin(), contraction.sizes.end(),
                       [&](const Contraction::Size& size) { return size.letter == letter; });
}

std::int64_t extent_of(const Contraction& contraction, const Part& part) {
  std::int64_t out = 1;
  for (const char letter : part.letters) out *= size_of(contraction, letter).extent;
  return out;
}

// Whether `second` follows `first` wherever one of them stands.
bool belong_together(const std::string& letters, char first, char second) {
  const std::size_t at = letters.find(first), after = letters.find(second);
  if (at == std::string::npos || after == std::string::npos) return at == after;
  return after == at + 1;
}

// Neighbours everywhere are one dimension.
void merge_neighbours(Contraction& c) {
  const std::string all = c.a_letters + c.b_letters;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const char first = all[i], second = all[i + 1];
    if (first == second || c.bias_letter == first || c.bias_letter == second) continue;
    if (!belong_together(c.a_letters, first, second) || !belong_together(c.b_letters, first, second) ||
        !belong_together(c.result_letters, first, second)) {
      continue;
    }
    const Contraction::Size inner = size_of(c, second);
    for (Contraction::Size& size : c.sizes) {
      if (size.letter != first) continue;
      size.expression += " * " + inner.expression;
      size.extent *= inner.extent;
    }
    for (std::string* letters : {&c.a_letters, &c.b_letters, &c.result_letters}) std::erase(*letters, second);
    return merge_neighbours(c);
  }
}

class Writer {
 public:
  Writer(Contraction contraction, const Schedule& schedule) : c_(std::move(contraction)), asked_(schedule) {}

  std::optional<SourceKernel> write() {
    if (repeats(c_.a_letters) || repeats(c_.b_letters) || repeats(c_.result_letters)) return std::nullopt;
    merge_neighbours(c_);
    if (!sort_letters() || ks_.letters.empty()) return std::nullopt;
    if (rows_.letters.empty()) swap_sides();
    if (rows_.letters.empty()) return std::nullopt;
    // The result's innermost dimension runs along the columns, so that neighbours are stored together.
    if (!c_.result_letters.empty() && rows_.has(c_.result_letters.back()) && !cols_.letters.empty()) swap_sides();
    if (extent_of(c_, rows_) == 1 && !cols_.letters.empty()) swap_sides();
    vector_ = extent_of(c_, cols_) == 1;
    return vector_ ? reduction() : product_of_tiles();
  }

 private:
  bool sort_letters() {
    for (const char letter : c_.result_letters) {
      const bool in_a = c_.a_letters.find(letter) != std::string::npos;
      const bool in_b = c_.b_letters.find(letter) != std::string::npos;
      if (!in_a && !in_b) return false;
      (in_a && in_b ? z_ : in_a ? rows_ : cols_).letters += letter;
    }
    for (const char letter : c_.a_letters) {
      if (c_.result_letters.find(letter) != std::string::npos) continue;
      if (c_.b_letters.find(letter) == std::string::npos) return false;
      ks_.letters += letter;
    }
    for (const char letter : c_.b_letters) {
      const bool kept = c_.result_letters.find(letter) != std::string::npos;
      if (!kept && !ks_.has(letter)) return false;
    }
    return true;
  }

  void swap_sides() {
    std::swap(c_.a, c_.b);
    std::swap(c_.a_letters, c_.b_letters);
    std::swap(rows_.letters, cols_.letters);
  }

  bool several() const { return !z_.letters.empty(); }

  const Part& part_of(char letter) const {
    for (const Part* part : {&rows_, &cols_, &ks_}) {
      if (part->has(letter)) return *part;
    }
    return z_;
  }

  // Offset into a tensor of these letters, where `down` is the part along the tile's rows and `across` the one along
  // its columns.
  std::string offset(const std::string& letters, const Part* down, const Part* across) const {
    std::vector<std::string> indices, sizes;
    for (const char letter : letters) {
      const Part& part = part_of(letter);
      indices.push_back(part.index_of(letter) + (&part == down ? "[:, None]" : &part == across ? "[None, :]" : ""));
      sizes.push_back(part.size_of(letter));
    }
    return offset_of(indices, sizes);
  }

  static std::string tile_mask(const Part& down, const Part& across) {
    return "(" + down.index + "[:, None] < " + down.size + ") & (" + across.index + "[None, :] < " + across.size + ")";
  }

  void name_sizes(SourceKernel& out) const {
    for (const Part* part : {&z_, &rows_, &cols_, &ks_}) {
      for (const char letter : part->letters) {
        out.host.push_back(part->size_of(letter) + " = " + size_of(c_, letter).expression);
        if (part->letters.size() > 1) out.arguments.emplace_back(part->size_of(letter), part->size_of(letter));
      }
      if (part->letters.size() > 1) out.host.push_back(part->size + " = " + joined(part->sizes(), " * "));
      if (!part->letters.empty() && (part != &z_ || is_inner(z_.letters))) {
        out.arguments.emplace_back(part->size, part->size);
      }
    }
  }

  // Whether a lone letter has others outside of it somewhere, so that offsets need its size.
  bool is_inner(const std::string& letter) const {
    if (letter.size() != 1) return false;
    for (const std::string* letters : {&c_.a_letters, &c_.b_letters, &c_.result_letters}) {
      if (letters->find(letter) != 0) return true;
    }
    return false;
  }

  // Lines that take a flat index apart, where it stands for several letters.
  static std::vector<std::string> parts_of(const Part& part) {
    std::vector<std::string> out;
    if (part.letters.size() < 2) return out;
    for (std::size_t i = 0; i < part.letters.size(); ++i) {
      out.push_back(part.index_of(part.letters[i]) + " = " + nested_index(part.index, part.sizes(), i));
    }
    return out;
  }

  SourceKernel started() const {
    SourceKernel out;
    out.operands = {c_.a, c_.b};
    if (!c_.bias.empty()) out.operands.push_back(c_.bias);
    if (!c_.addend.empty()) out.operands.push_back(c_.addend);
    out.shape = c_.shape;
    name_sizes(out);
    return out;
  }

  void add_rest(SourceKernel& out, bool tiles) const {
    if (!c_.bias.empty()) {
      const Part& part = part_of(c_.bias_letter);
      const bool down = &part == &rows_;
      std::string text = load(c_.bias, part.index_of(c_.bias_letter), part.index + " < " + part.size);
      if (tiles) text += down ? "[:, None]" : "[None, :]";
      out.kernel.push_back("acc += " + text);
    }
    if (!c_.addend.empty()) out.kernel.push_back("acc += " + load(c_.addend, "o", "m"));
  }

  SourceKernel product_of_tiles() const {
    const Tile tile =
        choose_tile(asked_, extent_of(c_, rows_) * extent_of(c_, z_), extent_of(c_, cols_), extent_of(c_, ks_));
    SourceKernel out = started();
    out.host.push_back(tile.host_line());
    out.constants = {{"BM", "BM"}, {"BN", "BN"}, {"BK", "BK"}};
    out.grid = tile_grid(several());
    out.taken = tile.taken;

    out.kernel = tile_indices(tile, several());
    for (const Part* part : {&z_, &rows_, &cols_}) append(out.kernel, parts_of(*part));
    out.kernel.push_back("acc = tl.zeros((BM, BN), dtype=tl.float32)");
    out.kernel.push_back("for k in range(0, K, BK):");
    std::vector<std::string> body = {"ks = k + tl.arange(0, BK)"};
    append(body, parts_of(ks_));
    body.push_back("a = " + load(c_.a, offset(c_.a_letters, &rows_, &ks_), tile_mask(rows_, ks_)));
    body.push_back("b = " + load(c_.b, offset(c_.b_letters, &ks_, &cols_), tile_mask(ks_, cols_)));
    body.push_back("acc += tl.dot(a, b, input_precision='" + std::string(base::enum_name(*tile.taken.dot)) + "')");
    append(out.kernel, indented(body));
    out.kernel.push_back("o = " + offset(c_.result_letters, &rows_, &cols_));
    out.kernel.push_back("m = " + tile_mask(rows_, cols_));
    add_rest(out, true);
    return out;
  }

  // Each program sums some rows against one column.
  SourceKernel reduction() const {
    SourceKernel out = started();
    // Long rows are read along; where they lie across, neighbours are.
    const bool along = ks_.has(c_.a_letters.back());
    out.host.push_back(sum_tile(asked_, {.rows = along ? 4 : 64, .ks = along ? 1024 : 64}, out.taken));
    if (asked_.variant == Variant::kFast) out.taken.warps = 8;
    if (asked_.warps) out.taken.warps = asked_.warps;
    out.constants = {{"BM", "BM"}, {"BK", "BK"}};
    std::vector<std::string> programs;  // the outermost first, as their numbers are nested
    if (several()) programs.push_back("Z");
    if (!cols_.letters.empty()) programs.push_back("N");
    programs.push_back("tl.cdiv(M, BM)");
    out.kernel = {"pid = tl.program_id(0)", "rows = pid % tl.cdiv(M, BM) * BM + tl.arange(0, BM)"};
    if (!cols_.letters.empty()) out.kernel.push_back("cols = " + nested_index("pid", programs, programs.size() - 2));
    if (several()) out.kernel.push_back("z = " + nested_index("pid", programs, 0));
    programs.back() = "triton.cdiv(M, BM)";
    out.grid = "(" + joined(programs, " * ") + ",)";
    for (const Part* part : {&z_, &rows_, &cols_}) append(out.kernel, parts_of(*part));
    out.kernel.push_back("acc = tl.zeros((BM,), dtype=tl.float32)");
    out.kernel.push_back("for k in range(0, K, BK):");
    std::vector<std::string> body = {"ks = k + tl.arange(0, BK)"};
    append(body, parts_of(ks_));
    body.push_back("a = " + load(c_.a, offset(c_.a_letters, &rows_, &ks_), tile_mask(rows_, ks_)));
    body.push_back("b = " + load(c_.b, offset(c_.b_letters, nullptr, nullptr), "ks < K"));
    body.push_back("acc += tl.sum(a * b[None, :], 1)");
    append(out.kernel, indented(body));
    out.kernel.push_back("o = " + offset(c_.result_letters, nullptr, nullptr));
    out.kernel.push_back("m = rows < M");
    add_rest(out, false);
    return out;
  }

  Contraction c_;
  Schedule asked_;
  bool vector_ = false;
  Part z_{.index = "z", .size = "Z"}, rows_{.index = "rows", .size = "M"}, cols_{.index = "cols", .size = "N"},
      ks_{.index = "ks", .size = "K"};
};

}  // namespace

std::optional<SourceKernel> contraction_kernel(Contraction contraction, const Schedule& schedule) {
  return Writer(std::move(contraction), schedule).write();
}

}  // namespace tritonrl::teacher
