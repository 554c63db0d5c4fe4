#pragma once

#include "syntax/arena.h"

namespace tritonrl::teacher {

// Statements that an answer's function has as its module's own has them are written by their beginnings alone, so that
// nobody need copy what stands there:
//
//   x = ...              what the module assigns to x
//   return ...           what it returns
//   if x.shape[0] > 1:   its statement that begins so, with all that belongs to it
//       ...
//
// One that is not the only one of its beginning in its block is written out, so that nobody need count; so is one that
// assigns a name or a constant.

// The function of an answer with such statements elided.
const syntax::SyntaxNode* elided(const syntax::SyntaxNode& function, const syntax::SyntaxNode& of_module,
                                 syntax::SyntaxArena& arena);

// The way back. Where several of the module's begin so, the next behind the last that was taken over is meant. What
// stands for nothing in the module's function stays as it is.
const syntax::SyntaxNode* without_elisions(const syntax::SyntaxNode& function, const syntax::SyntaxNode& of_module,
                                           syntax::SyntaxArena& arena);

}  // namespace tritonrl::teacher
