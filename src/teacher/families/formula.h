#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "teacher/families/value.h"

namespace tritonrl::teacher {

// Writes formulas over tensors into a body: every operator in one of its spellings, intermediate values named or not as
// the style has it, numbers kept in ranges where the result is well determined.
class Formula {
 public:
  explicit Formula(Body& body) : body_(body), page_(body.page), draw_(body.page.draw) {}

  // One operator of one operand.
  Value activation(Value v);  // as networks have them
  Value unary(Value v);       // any
  Value named_unary(std::string_view name, Value v, bool module_allowed = true);
  Value positive(Value v);     // made positive, away from zero
  Value small(Value v);        // |v| at most about 1
  Value tame(Value v);         // not too large to go on with
  Value scalar_step(Value v);  // + - * / with a number
  Value power(Value v);
  Value clamp(Value v);

  // Two operands; shapes broadcast to that of `v`.
  Value parameter(std::string_view shape);                         // a new one that broadcasts against the shape
  Value operand(const Value& v, const std::vector<Value>& scope);  // something to combine with
  Value binary(Value v, Value other);
  Value gate(Value v, const std::vector<Value>& scope);
  Value masked(Value v, const std::vector<Value>& scope);
  Value bent(Value v);                                               // masked by itself, without a jump
  Value condition(const Value& v, const std::vector<Value>& scope);  // a tensor of truth values of that shape

  // Reductions over the places `axes` of the shape.
  Value reduce(std::string_view op, const Value& v, const std::vector<int>& axes, bool keep);
  std::vector<int> some_axes(const Letters& shape, bool most_common_only = false);
  Value normalised(Value v);   // softmax, standardised, by function or by hand
  Value against_own(Value v);  // combined with a reduction of itself
  Value scanned(Value v);
  Value whole(Value v);    // reduced to one number
  Value reduced(Value v);  // over some dimensions, not kept

  // About so many operators over the scope, starting at `start`; the shape stays. `reusable`: a name that may be given
  // to an intermediate value.
  Value dense(Value start, std::vector<Value> scope, int operators, std::string_view reusable = {});

  // The value under a name: a statement. `target`: the name that it may be given again; empty: a new one.
  Value settle(Value v, std::string_view hint = "tmp", std::string_view target = {});
  Value plain(Value v, std::string_view hint = "tmp") { return v.plain ? v : settle(std::move(v), hint); }
  std::string number(std::string_view value, std::string_view hint) { return page_.number(body_.owner, value, hint); }
  std::string factor();  // a number near 1, as text
  std::string dim_text(const Letters& shape, const std::vector<int>& axes, bool keyword);

 private:
  std::string call_form(std::string_view torch, std::string_view functional, std::string_view method, const Value& v,
                        std::string_view arguments);

  Body& body_;
  Page& page_;
  Draw& draw_;
};

std::string bracketed(const Value& v);

// The value through a new function of the file, or a method of the model, which computes a formula of it.
Value through_helper(Page& page, const Value& v, bool method);

// Writes the model's forward.
class ForwardWriter {
 public:
  explicit ForwardWriter(Page& page)
      : page_(page),
        draw_(page.draw),
        body_{.page = page, .owner = &page.model, .lines = page.model.forward, .indent = 8, .names = page.model.names},
        formula_(body_) {}

 protected:
  Page& page_;
  Draw& draw_;
  Body body_;
  Formula formula_;
};

}  // namespace tritonrl::teacher
