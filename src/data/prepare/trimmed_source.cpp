#include "data/prepare/trimmed_source.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "data/prepare/source_names.h"

namespace tritonrl::data {

using syntax::SyntaxArena;
using syntax::SyntaxNode;

namespace {

using Nodes = std::vector<const SyntaxNode*>;

class SourceTrimmer {
 public:
  SourceTrimmer(const std::function<bool(const SyntaxNode&)>& at_hand,
                const std::function<bool(std::string_view)>& importable, SyntaxArena& arena)
      : at_hand_(at_hand), importable_(importable), arena_(arena) {}

  const SyntaxNode* run(const SyntaxNode& module) {
    for (const SyntaxNode* statement : module.nodes("body")) note_imports(*statement);
    SyntaxNode& out = arena_.copy(module);
    for (auto& [field, value] : out.fields) {
      if (field == "body") value = statements(module.nodes("body"));
    }
    return &out;
  }

 private:
  void note_imports(const SyntaxNode& statement) {
    for (const char* part : {"body", "orelse"}) {  // if, try
      if (statement.is("ClassDef") || statement.is("FunctionDef")) break;
      for (const SyntaxNode* inner : statement.nodes(part)) note_imports(*inner);
    }
    const bool from = statement.is("ImportFrom");
    if (!from && !statement.is("Import")) return;
    for (const SyntaxNode* alias : statement.nodes("names")) {
      const std::string_view other = alias->text("asname"), name = alias->text("name");
      const std::string_view bound = !other.empty() ? other : from ? name : name.substr(0, name.find('.'));
      if (importable_(from ? statement.text("module") : name) && !is_relative(statement)) {
        importable_names_.insert(bound);
      } else if (!at_hand_(statement)) {
        missing_.insert(bound);
      }
    }
  }

  static bool is_relative(const SyntaxNode& import) {
    const syntax::SyntaxValue* level = import.field("level");
    const auto* number = level == nullptr ? nullptr : std::get_if<std::int64_t>(level);
    return number != nullptr && *number > 0;
  }

  static std::string_view root_of(const SyntaxNode& expression) {
    const SyntaxNode* base = &expression;
    while (base != nullptr && !base->is("Name")) {
      base = base->is("Call") ? base->node("func") : base->is("Subscript") ? base->node("value") : base->node("value");
    }
    return base == nullptr ? std::string_view() : base->text("id");
  }

  Nodes statements(const Nodes& before) {
    Nodes out;
    out.reserve(before.size());
    for (const SyntaxNode* statement : before) out.push_back(trimmed(*statement));
    return out;
  }

  const SyntaxNode* trimmed(const SyntaxNode& statement) {
    if (is_logger(statement)) {
      return arena_.assign(statement.nodes("targets")[0],
                           arena_.call(arena_.dotted("logging.getLogger"), {arena_.name("__name__")}));
    }
    const bool is_class = statement.is("ClassDef");
    if (!is_class && !statement.is("FunctionDef")) return &statement;
    SyntaxNode& out = arena_.copy(statement);
    for (auto& [field, value] : out.fields) {
      if (field == "decorator_list") {
        std::erase_if(std::get<Nodes>(value), [&](const SyntaxNode* decorator) {
          const std::string_view root = root_of(*decorator);
          return missing_.contains(root) || (is_class && !importable_names_.contains(root));
        });
      } else if (is_class && field == "bases") {
        Nodes bases = std::get<Nodes>(value);
        std::erase_if(bases, [&](const SyntaxNode* base) { return missing_.contains(root_of(*base)); });
        if (!bases.empty()) value = std::move(bases);
      } else if (is_class && field == "body") {
        value = statements(statement.nodes("body"));
      }
    }
    return &out;
  }

  // logger = logging.get_logger(__name__)
  static bool is_logger(const SyntaxNode& statement) {
    if (!statement.is("Assign") || statement.nodes("targets").size() != 1) return false;
    const SyntaxNode* target = statement.nodes("targets")[0];
    constexpr auto kNames = std::to_array<std::string_view>({"logger", "_logger", "LOGGER", "log", "LOG"});
    if (!target->is("Name") || std::ranges::find(kNames, target->text("id")) == kNames.end()) return false;
    const std::string callee =
        statement.node("value")->is("Call") ? dotted_name(*statement.node("value")->node("func")) : std::string();
    return callee.ends_with("get_logger") || callee.ends_with("getLogger");
  }

  const std::function<bool(const SyntaxNode&)>& at_hand_;
  const std::function<bool(std::string_view)>& importable_;
  SyntaxArena& arena_;
  std::set<std::string_view> missing_, importable_names_;
};

}  // namespace

const SyntaxNode* trimmed_source(const SyntaxNode& module, const std::function<bool(const SyntaxNode&)>& at_hand,
                                 const std::function<bool(std::string_view)>& importable, SyntaxArena& arena) {
  return SourceTrimmer(at_hand, importable, arena).run(module);
}

}  // namespace tritonrl::data
