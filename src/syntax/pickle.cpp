#include "syntax/pickle.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "syntax/unparse_literals.h"

namespace tritonrl::syntax {
namespace {

constexpr std::size_t kMostDecimalBytes = 2'000;  // Python refuses to write integers of more than 4300 digits

struct BadPickle {
  std::string message;
};

// Things on the pickle machine's stack. Objects that are shared or filled later live in deques, so that they stay where
// they are.
struct List;
struct Dictionary;
struct ClassName {
  std::string_view name;
};
struct Mark {};
struct Tuple {
  std::vector<std::size_t> items;  // indices into Machine::kept_
};
using Thing = std::variant<NoneValue, bool, std::int64_t, double, std::string_view, OtherConstant, ClassName, Mark,
                           SyntaxNode*, List*, Dictionary*, Tuple*>;
struct List {
  std::vector<Thing> items;
};
struct Dictionary {
  std::vector<std::pair<std::string_view, Thing>> items;
};

static_assert(std::is_trivially_copyable_v<Thing>);  // millions are moved about

class Machine {
 public:
  explicit Machine(SyntaxTree::Storage& storage) : storage_(storage), bytes_(storage.bytes), fields_(*storage.names) {}

  const SyntaxNode* run() {
    for (;;) {
      const auto code = static_cast<unsigned char>(take(1)[0]);
      if (code == '.') break;
      step(code);
    }
    const Thing top = pop();
    SyntaxNode* const* node = std::get_if<SyntaxNode*>(&top);
    if (node == nullptr || !stack_.empty() || (*node)->kind != "Module") throw BadPickle{"is no syntax tree"};
    return *node;
  }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size() - at_) throw BadPickle{"ends too early"};
    const std::string_view taken = bytes_.substr(at_, count);
    at_ += count;
    return taken;
  }
  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;  // little end first, as all machines that we run on
  }

  void push(Thing thing) { stack_.push_back(thing); }
  Thing pop() {
    if (stack_.empty()) throw BadPickle{"takes from an empty stack"};
    const Thing thing = stack_.back();
    stack_.pop_back();
    return thing;
  }
  template <class T>
  T pop_as() {
    Thing thing = pop();
    if (T* held = std::get_if<T>(&thing)) return *held;
    throw BadPickle{"has a value of another type than its place needs"};
  }
  template <class T>
  T top_as() {
    if (stack_.empty()) throw BadPickle{"looks at an empty stack"};
    if (T* held = std::get_if<T>(&stack_.back())) return *held;
    throw BadPickle{"has a value of another type than its place needs"};
  }
  // What lies above the last mark, which goes too. Good until the next call.
  const std::vector<Thing>& pop_mark() {
    std::size_t begin = stack_.size();
    while (begin > 0 && !std::holds_alternative<Mark>(stack_[begin - 1])) --begin;
    if (begin == 0) throw BadPickle{"has no mark"};
    popped_.assign(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
    stack_.resize(begin - 1);
    return popped_;
  }
  void remembered(std::size_t index) {
    if (index >= memo_.size()) throw BadPickle{"names something that it did not keep"};
    push(memo_[index]);
  }

  void step(unsigned char code) {
    switch (code) {
      case 0x80:  // PROTO
        take(1);
        return;
      case 0x95:  // FRAME
        take(8);
        return;
      case 0x94:  // MEMOIZE
        if (stack_.empty()) throw BadPickle{"keeps nothing"};
        memo_.push_back(stack_.back());
        return;
      case 'h':  // BINGET
        return remembered(number<std::uint8_t>());
      case 'j':  // LONG_BINGET
        return remembered(number<std::uint32_t>());
      case 'N':
        return push(NoneValue{});
      case 0x88:
        return push(true);
      case 0x89:
        return push(false);
      case 'K':
        return push(std::int64_t{number<std::uint8_t>()});
      case 'M':
        return push(std::int64_t{number<std::uint16_t>()});
      case 'J':
        return push(std::int64_t{number<std::int32_t>()});
      case 0x8a:  // LONG1
        return long_integer(number<std::uint8_t>());
      case 0x8b:  // LONG4
        return long_integer(number<std::uint32_t>());
      case 'G': {  // BINFLOAT, big end first
        std::uint64_t bits = 0;
        for (const char byte : take(8)) bits = bits << 8 | static_cast<unsigned char>(byte);
        return push(std::bit_cast<double>(bits));
      }
      case 0x8c:  // SHORT_BINUNICODE
        return push(take(number<std::uint8_t>()));
      case 'X':  // BINUNICODE
        return push(take(number<std::uint32_t>()));
      case 'C':  // SHORT_BINBYTES
        return bytes_constant(take(number<std::uint8_t>()));
      case 'B':  // BINBYTES
        return bytes_constant(take(number<std::uint32_t>()));
      case ']':
        return push(&lists_.emplace_back());
      case '}':
        return push(new_dictionary());
      case ')':
        return push(&tuples_.emplace_back());
      case '(':
        return push(Mark{});
      case 'a': {
        const Thing item = pop();
        top_as<List*>()->items.push_back(item);
        return;
      }
      case 'e': {
        const std::vector<Thing>& items = pop_mark();
        List& list = *top_as<List*>();
        list.items.insert(list.items.end(), items.begin(), items.end());
        return;
      }
      case 's': {
        const Thing value = pop();
        const std::string_view key = pop_as<std::string_view>();
        top_as<Dictionary*>()->items.emplace_back(key, value);
        return;
      }
      case 'u': {
        const std::vector<Thing>& items = pop_mark();
        Dictionary& dictionary = *top_as<Dictionary*>();
        if (items.size() % 2 != 0) throw BadPickle{"has a key without a value"};
        for (std::size_t i = 0; i < items.size(); i += 2) {
          const auto* key = std::get_if<std::string_view>(&items[i]);
          if (key == nullptr) throw BadPickle{"has a key that is no text"};
          dictionary.items.emplace_back(*key, items[i + 1]);
        }
        return;
      }
      case 't':
        return make_tuple(pop_mark());
      case 0x85:
      case 0x86:
      case 0x87: {
        std::vector<Thing> items;
        for (int i = 0; i < code - 0x84; ++i) items.insert(items.begin(), pop());
        return make_tuple(items);
      }
      case 0x93: {  // STACK_GLOBAL
        const std::string_view name = pop_as<std::string_view>();
        const std::string_view module = pop_as<std::string_view>();
        return global(module, name);
      }
      case 'R':
        return reduce();
      case 'b':
        return build();
      default:
        throw BadPickle{"has the operation " + std::to_string(code) + ", which no tree needs"};
    }
  }

  void bytes_constant(std::string_view bytes) {
    std::string& text = storage_.texts.emplace_back();
    append_bytes_repr(bytes, text);
    push(OtherConstant{"bytes", text});
  }

  void complex_constant(const Tuple& parts) {
    const double* imaginary = parts.items.size() == 2 ? std::get_if<double>(&kept_[parts.items[1]]) : nullptr;
    if (imaginary == nullptr) throw BadPickle{"has a complex number without its parts"};
    std::string& text = storage_.texts.emplace_back();
    append_imaginary(*imaginary, text);  // literals have no real part
    push(OtherConstant{"complex", text});
  }

  // One beyond 64 bits; literals are not negative.
  void huge_integer(std::string_view bytes) {
    if (static_cast<unsigned char>(bytes.back()) >= 0x80) throw BadPickle{"has an integer that no literal gives"};
    std::string digits;
    for (std::size_t i = bytes.size(); i-- > 0;) {
      const auto byte = static_cast<unsigned char>(bytes[i]);
      (digits += "0123456789abcdef"[byte >> 4]) += "0123456789abcdef"[byte & 15];
    }
    const bool decimal = bytes.size() <= kMostDecimalBytes;
    push(OtherConstant{"int", storage_.texts.emplace_back(decimal ? decimal_from_digits(digits, 16) : "0x" + digits)});
  }

  void long_integer(std::size_t length) {
    const std::string_view digits = take(length);
    if (length > 8) return huge_integer(digits);
    std::uint64_t bits = length > 0 && (static_cast<unsigned char>(digits.back()) & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = length; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(digits[i]);
    push(static_cast<std::int64_t>(bits));
  }

  void make_tuple(const std::vector<Thing>& items) {
    Tuple& tuple = tuples_.emplace_back();
    for (const Thing& item : items) {
      tuple.items.push_back(kept_.size());
      kept_.push_back(item);
    }
    push(&tuple);
  }

  void global(std::string_view module, std::string_view name) {
    if (module == "builtins" && (name == "Ellipsis" || name == "complex")) {
      return name == "complex" ? push(ClassName{"complex"}) : push(OtherConstant{"ellipsis", "..."});
    }
    if ((module != "ast" && module != "_ast") || !fields_.contains(name)) {
      throw BadPickle{"names " + std::string(module) + "." + std::string(name) + ", which is no node"};
    }
    push(ClassName{name});
  }

  void reduce() {
    const Tuple& arguments = *pop_as<Tuple*>();
    const std::string_view name = pop_as<ClassName>().name;
    if (name == "complex") return complex_constant(arguments);
    SyntaxNode& node = storage_.nodes.emplace_back();
    node.kind = name;
    const std::vector<std::string>& names = fields_.find(name)->second;
    if (arguments.items.size() > names.size()) throw BadPickle{"gives a node more fields than it has"};
    for (std::size_t i = 0; i < arguments.items.size(); ++i) set(node, names[i], kept_[arguments.items[i]]);
    push(&node);
  }

  // Every node has one until it is built: the room of earlier ones is used again.
  Dictionary* new_dictionary() {
    if (spare_.empty()) return &dictionaries_.emplace_back();
    Dictionary* dictionary = spare_.back();
    spare_.pop_back();
    dictionary->items.clear();
    return dictionary;
  }

  void build() {
    Dictionary* state = pop_as<Dictionary*>();
    SyntaxNode& node = *top_as<SyntaxNode*>();
    node.fields.reserve(state->items.size() >= 4 ? state->items.size() - 4 : 0);  // four are places
    for (const auto& [name, value] : state->items) set(node, name, value);
    spare_.push_back(state);
  }

  static bool place(SyntaxNode& node, std::string_view name, const Thing& thing) {
    if (!name.ends_with("lineno") && !name.ends_with("col_offset")) return false;
    const auto* value = std::get_if<std::int64_t>(&thing);
    const auto number = static_cast<int>(value == nullptr ? 0 : *value);
    if (name == "lineno") return node.line = number, true;
    if (name == "col_offset") return node.column = number, true;
    if (name == "end_lineno") return node.end_line = number, true;
    if (name == "end_col_offset") return node.end_column = number, true;
    return false;
  }

  void set(SyntaxNode& node, std::string_view name, const Thing& thing) {
    if (!place(node, name, thing)) node.fields.emplace_back(name, value_of(thing));
  }

  // By the time a node is built its lists are complete: pickles are written from the leaves up.
  SyntaxValue value_of(const Thing& thing) const {
    if (const auto* text = std::get_if<std::string_view>(&thing)) return std::string(*text);
    if (const auto* truth = std::get_if<bool>(&thing)) return *truth;
    if (const auto* integer = std::get_if<std::int64_t>(&thing)) return *integer;
    if (const auto* real = std::get_if<double>(&thing)) return *real;
    if (const auto* other = std::get_if<OtherConstant>(&thing)) return *other;
    if (const auto* node = std::get_if<SyntaxNode*>(&thing)) return static_cast<const SyntaxNode*>(*node);
    if (const auto* list = std::get_if<List*>(&thing)) return list_value((*list)->items);
    if (std::holds_alternative<NoneValue>(thing)) return NoneValue{};
    throw BadPickle{"has a field that is no node, list or constant"};
  }

  static SyntaxValue list_value(const std::vector<Thing>& items) {
    if (!items.empty() && std::holds_alternative<std::string_view>(items.front())) {
      std::vector<std::string> texts;
      for (const Thing& item : items) {
        const auto* text = std::get_if<std::string_view>(&item);
        if (text == nullptr) throw BadPickle{"mixes names with other things in a list"};
        texts.emplace_back(*text);
      }
      return texts;
    }
    std::vector<const SyntaxNode*> nodes;
    nodes.reserve(items.size());
    for (const Thing& item : items) {
      if (const auto* node = std::get_if<SyntaxNode*>(&item)) {
        nodes.push_back(*node);
      } else if (std::holds_alternative<NoneValue>(item)) {
        nodes.push_back(nullptr);  // {**other}: a key that is not there
      } else {
        throw BadPickle{"mixes nodes with other things in a list"};
      }
    }
    return nodes;
  }

  SyntaxTree::Storage& storage_;
  const std::string_view bytes_;
  const NodeFields& fields_;
  std::size_t at_ = 0;
  std::vector<Thing> stack_, memo_, kept_, popped_;
  std::deque<List> lists_;
  std::deque<Dictionary> dictionaries_;
  std::vector<Dictionary*> spare_;
  std::deque<Tuple> tuples_;
};

}  // namespace

SyntaxTree::SyntaxTree(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {
  TRL_CHECK(storage_ != nullptr && storage_->root != nullptr, "a tree has a root");
}
SyntaxTree::SyntaxTree(SyntaxTree&&) noexcept = default;
SyntaxTree& SyntaxTree::operator=(SyntaxTree&&) noexcept = default;
SyntaxTree::~SyntaxTree() = default;

const SyntaxNode& SyntaxTree::root() const {
  return *storage_->root;
}

base::Result<SyntaxTree> tree_from_pickle(std::string bytes, std::shared_ptr<const NodeFields> fields) {
  auto storage = std::make_unique<SyntaxTree::Storage>();
  storage->bytes = std::move(bytes);
  storage->names = std::move(fields);
  try {
    storage->root = Machine(*storage).run();
  } catch (const BadPickle& bad) {
    return base::Failure{"the parser's answer " + bad.message};
  }
  return SyntaxTree(std::move(storage));
}

}  // namespace tritonrl::syntax
