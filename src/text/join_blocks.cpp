#include "text/join_blocks.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "text/chars.h"
#include "text/python_names.h"

namespace tritonrl::text {
namespace {

using Kind = TopStatement::Kind;

// Where a name is bound, outside the chosen block.
struct Definition {
  std::size_t block = 0;
  const TopStatement* statement = nullptr;
};

class Joiner {
 public:
  Joiner(const std::vector<Candidate>& candidates, std::size_t chosen) : candidates_(candidates), chosen_(chosen) {
    outlines_.resize(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (i == chosen || (candidates[i].python && !candidates[i].defines)) index(i);
    }
  }

  JoinedCode join() {
    need(chosen_);
    while (!unread_.empty()) {
      std::size_t block = *unread_.begin();
      unread_.erase(unread_.begin());
      need(block);
    }
    return write();
  }

 private:
  // Later definitions replace earlier ones; those behind the chosen block, often a usage example, count only
  // where nothing before it gives the name, and its assignments never.
  void index(std::size_t block) {
    outlines_[block] = candidates_[block].outline();
    for (const TopStatement& statement : outlines_[block].statements) {
      // A helper may need, before the chosen block runs, what only that imports.
      if (block == chosen_ && statement.kind != Kind::kImport) continue;
      if (block > chosen_ && statement.kind == Kind::kOther) continue;
      for (std::string_view name : statement.names) {
        auto& known = statement.kind == Kind::kImport ? imports_ : definitions_;
        auto [entry, added] = known.try_emplace(name, Definition{block, &statement});
        if (!added && (block < chosen_ || entry->second.block > chosen_)) entry->second = {block, &statement};
      }
    }
  }

  // Marks the blocks that `block` needs.
  void need(std::size_t block) {
    PythonNames names = python_names(candidates_[block].block.code);
    for (std::string_view name : names.used) {
      auto definition = definitions_.find(name);
      bool bound = names.bound.contains(name);
      // A helper that binds the name itself still gives way to a later version of it.
      bool newer = bound && block != chosen_ && definition != definitions_.end() && definition->second.block > block &&
                   definition->second.statement->kind == Kind::kFunction;
      if (bound && !newer) continue;
      if (definition == definitions_.end()) {
        missing_.insert(name);
      } else if (helpers_.insert(definition->second.block).second) {
        unread_.insert(definition->second.block);
      }
    }
  }

  JoinedCode write() const {
    JoinedCode joined;
    for (std::string_view statement : missing_imports()) {
      joined.code.append(trim_right(statement)) += '\n';
      ++joined.imports;
    }
    joined.helpers = helpers_.size();
    for (std::size_t block : helpers_) append(candidates_[block].block.code, &joined.code);
    append(candidates_[chosen_].block.code, &joined.code);
    if (joined.imports + joined.helpers > 0) lift_future_imports(&joined.code);
    return joined;
  }

  // In the order of the answer.
  std::vector<std::string_view> missing_imports() const {
    std::unordered_set<const TopStatement*> wanted;
    for (std::string_view name : missing_) {
      auto found = imports_.find(name);
      if (found != imports_.end() && !helpers_.contains(found->second.block)) wanted.insert(found->second.statement);
    }
    std::vector<std::string_view> statements;
    for (const PythonOutline& outline : outlines_) {
      for (const TopStatement& statement : outline.statements) {
        if (wanted.contains(&statement)) statements.push_back(statement.text);
      }
    }
    return statements;
  }

  static void append(std::string_view code, std::string* out) {
    if (!out->empty()) *out += "\n\n";
    out->append(code);
  }

  // "from __future__ import" must be the first statement of a file.
  static void lift_future_imports(std::string* code) {
    constexpr std::string_view kFuture = "from __future__ import ";
    if (code->find(kFuture) == std::string::npos) return;
    std::string front, rest;
    std::set<std::string> seen;
    LineCursor lines(*code);
    while (lines.next()) {
      bool future = lines.line().starts_with(kFuture);
      if (!future) rest.append(lines.line()) += '\n';
      if (future && seen.emplace(lines.line()).second) front.append(lines.line()) += '\n';
    }
    *code = front + rest;
  }

  const std::vector<Candidate>& candidates_;
  std::size_t chosen_;
  std::vector<PythonOutline> outlines_;
  std::unordered_map<std::string_view, Definition> definitions_, imports_;
  std::set<std::size_t> helpers_, unread_;
  std::set<std::string_view> missing_;
};

}  // namespace

JoinedCode join_blocks(const std::vector<Candidate>& candidates, std::size_t chosen) {
  return Joiner(candidates, chosen).join();
}

}  // namespace tritonrl::text
