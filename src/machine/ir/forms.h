#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tritonrl::machine {

// What validation (validate.h) asks of an operation's types.
enum class Rule : std::uint8_t {
  kNone,
  kSameInteger,  // operands and results of one type, of integers
  kSameFloat,    // the same, of floats
  kCompare,      // operands of one type, result i1 in their shape
  kSelect,
  kCast,
  kExtended,     // operands of one type, results of their shape
  kElementwise,  // operands and results of one shape
  kAddPointer,
  kConstant,
  kProgram,  // what asks for the program's place in the grid
  kTruth,    // an operand of i1
  kPrint,
  kLoad,
  kStore,
  kAtomicRmw,
  kAtomicCas,
  kMakeTensorPointer,
  kAdvance,
  kMakeDescriptor,
  kDescriptorLoad,
  kDescriptorStore,
  kDescriptorGather,
  kDescriptorScatter,
  kRange,
  kSplat,
  kUnsplat,
  kBroadcast,
  kExpandDims,
  kReshape,
  kTrans,
  kJoin,
  kSplit,
  kCat,
  kGather,
  kHistogram,
  kDot,
  kDotScaled,
  kReduce,
  kScan,
  kMapElementwise,
  kCall,  // from here on: what hands values on, whatever they are
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
  std::string_view name;
  std::string_view format;  // empty: never written in its own form, or read by code
  Rule rule = Rule::kNone;
  std::int8_t least = 0, most = 0;  // operands; most -1: any number
  std::int8_t results = 0;          // -1: any number
  std::int8_t regions = 0;
  bool terminator = false;
};

const Form* find_form(std::string_view name);

// The words of a format.
const std::vector<std::string_view>& words_of(const Form& form);

// MLIR's enumerations are words in an operation's own form and numbers in the generic one and in dictionaries. The word
// for a number; empty if there is none or the attribute is none of these.
std::string_view enumerator(std::string_view operation, std::string_view key, std::int64_t value);

}  // namespace tritonrl::machine
