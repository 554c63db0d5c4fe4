#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tritonrl::machine {

class TypedOperation;  // rules.h

// What is more than its types' rule: what has regions or successors, or hands values on, whatever they are.
enum class Rule : std::uint8_t {
  kNone,
  kReduce,
  kScan,
  kMapElementwise,
  kCall,  // from here on: what hands values on
  kReturn,
  kYield,  // checked by what it stands in
  kCondition,
  kFor,
  kWhile,
  kIf,
  kIndexSwitch,
  kExecuteRegion,
  kBranch,
  kConditionalBranch,
  kSwitch,
};

// How an operation is written, as in its dialect's definition, one token of this language a word:
//   $        an operand              $*   any number, commas between     ,$?  perhaps a comma and an operand
//   $1       an operand of i1, where nothing tells its type
//   $:t*     perhaps operands, then ':' and their types                  :$:t* the same behind a ':'
//   w:KEY    a word kept as attribute KEY        s:KEY  a string         @:KEY  a symbol
//   m:WORD:KEY  perhaps "WORD = value"           ,m:WORD:KEY  the same behind a comma
//   u:WORD   perhaps that word                   b:KEY  words joined by '|'
//   sc:KEY   perhaps "scale" and an operand      X      modifiers: fastmath<…>, overflow<…>, exact, nneg, …
//   D        perhaps a dictionary of attributes
//   t        type of the next operand            ,t?    perhaps a comma and one           t*  those of the others
//   t-1      type of the last operand            tP     "<…>" of a pointer
//   r        type of the next result             r*     any number       rP  rD  "<…>" of a pointer, a descriptor
//   tr       type of an operand and the result   fn     "(types) -> types"
//   sel      types of arith.select
//   =i1  =pointee  =scalar  =again  results' types made of those that were read: i1 in the shape, what a load gives,
//   one
//            element, the same once more
// and anything else is itself.
struct Form {
  std::string_view names;                          // of the operations that are written so, blanks between
  std::string_view format;                         // empty: never written in its own form, or read by code
  void (*check)(const TypedOperation&) = nullptr;  // what validation (validate.h) asks of its types; null: nothing
  std::int8_t least = 0, most = 0;                 // operands; most -1: any number
  std::int8_t results = 0;                         // -1: any number
  std::int8_t regions = 0;
  bool terminator = false;
  Rule rule = Rule::kNone;
};
inline constexpr std::string_view kArrow = "$ D : t -> r";

const Form* find_form(std::string_view name);

// By the files that have their rules, with the rules beside them.
std::span<const Form> elementwise_forms();  // arithmetic, constants, prints
std::span<const Form> memory_forms();       // what reads or writes memory
std::span<const Form> shape_forms();        // what moves elements
std::span<const Form> block_forms();        // dot, and what combines elements by a region

// The words of a format.
const std::vector<std::string_view>& words_of(const Form& form);

// MLIR's enumerations are words in an operation's own form and numbers in the generic one and in dictionaries. The word
// for a number; empty if there is none or the attribute is none of these.
std::string_view enumerator(std::string_view operation, std::string_view key, std::int64_t value);
bool is_enumerator(std::string_view operation, std::string_view key, std::string_view word);

}  // namespace tritonrl::machine
