#include <gtest/gtest.h>

#include <random>

#include "machine/ir/reader.h"
#include "machine/ir/validate.h"
#include "tests/machine/ir/samples.h"

namespace tritonrl::machine {
namespace {

using Random = std::mt19937;

std::size_t pick(Random& random, std::size_t count) {
  return count == 0 ? 0 : random() % count;
}

struct Span {
  std::size_t at, size;
};

// A word, a number, a name with its sign, or one other character.
Span token(const std::string& text, std::size_t at) {
  const auto inside = [&](std::size_t i) {
    const char c = text[i];
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '%' || c == '#' || c == '@';
  };
  if (!inside(at)) return {at, 1};
  std::size_t begin = at, end = at;
  while (begin > 0 && inside(begin - 1)) --begin;
  while (end < text.size() && inside(end)) ++end;
  return {begin, end - begin};
}

Span line(const std::string& text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t after = text.find('\n', begin);
  return {begin, (after == std::string::npos ? text.size() : after + 1) - begin};
}

void mutate(std::string& text, Random& random) {
  if (text.empty()) return;
  const std::size_t at = pick(random, text.size()), other = pick(random, text.size());
  switch (random() % 10) {
    case 0:
      text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
      break;
    case 1:
      text[at] = "<>(){}[]:,=%^#@!\"-0x\n"[random() % 21];
      break;
    case 2:
      text.erase(at, 1 + pick(random, 16));
      break;
    case 3: {
      const Span span = line(text, at);
      text.erase(span.at, span.size);
      break;
    }
    case 4: {
      const Span span = line(text, at);
      text.insert(line(text, other).at, text.substr(span.at, span.size));
      break;
    }
    case 5:
      text.resize(at);
      break;
    case 6: {
      const Span span = token(text, at);
      text.insert(token(text, other).at, text.substr(span.at, span.size));
      break;
    }
    case 7: {
      static const char* const kWords[] = {
          "0",   "-1",       "99999999999999999999", "i1",           "f32",          "index",    "i64", "^bb1",
          "%c0", "dense<1>", "tensor<4xf32>",        "!tt.ptr<f32>", "loc(unknown)", "scf.yield"};
      const Span span = token(text, at);
      text.replace(span.at, span.size, kWords[random() % std::size(kWords)]);
      break;
    }
    default: {  // one token in the place of another: mostly still well formed
      const Span from = token(text, at), to = token(text, other);
      text.replace(to.at, to.size, text.substr(from.at, from.size));
    }
  }
}

// What the guarantees mean for someone who walks the module without looking twice.
class Walk {
 public:
  Walk(const Module& module, const Function& function) : module_(module), function_(function) {}

  void region(const Region& region) {
    for (const Block& block : region.blocks) {
      ASSERT_FALSE(block.operations.empty());
      for (const ValueId id : block.arguments) value(id);
      for (const Operation& op : block.operations) operation(op, region);
    }
  }

 private:
  void value(ValueId id) {
    ASSERT_GE(id, 0);
    ASSERT_LT(id, static_cast<ValueId>(function_.values.size()));
    const Type& type = function_.values[static_cast<std::size_t>(id)];
    for (const std::int64_t size : type.shape) ASSERT_GT(size, 0);
    ASSERT_LE(type.count(), IrReaderOptions().max_elements);
    ASSERT_EQ(type.shape.empty(), type.kind == Type::Kind::kScalar || type.kind == Type::Kind::kOpaque);
  }

  void operation(const Operation& op, const Region& around) {
    for (const ValueId id : op.operands) value(id);
    for (const ValueId id : op.results) value(id);
    ASSERT_GE(op.location, -1);
    ASSERT_LT(op.location, static_cast<int>(module_.locations.size()));
    if (!op.known) {
      ASSERT_TRUE(op.regions.empty() && op.successors.empty());
      ASSERT_FALSE(op.text.empty());
    }
    for (const Successor& successor : op.successors) {
      ASSERT_GT(successor.block, 0);
      ASSERT_LT(successor.block, static_cast<int>(around.blocks.size()));
      const Block& target = around.blocks[static_cast<std::size_t>(successor.block)];
      ASSERT_EQ(target.arguments.size(), successor.arguments.size());
      for (const ValueId id : successor.arguments) value(id);
    }
    if (op.known && op.name == "tt.call") {
      ASSERT_NE(module_.find(op.string("callee")), nullptr);
    }
    for (const Region& inner : op.regions) region(inner);
  }

  const Module& module_;
  const Function& function_;
};

TEST(IrFuzz, BrokenTextIsAFailureOrAModule) {
  const std::vector<IrSample> samples = ir_samples();
  ASSERT_FALSE(samples.empty());
  Random random(20260101);
  constexpr int kCases = 20'000;
  int read = 0, refused = 0;
  for (int i = 0; i < kCases; ++i) {
    const IrSample& sample = samples[static_cast<std::size_t>(i) % samples.size()];
    std::string text = sample.text;
    for (std::uint32_t changes = 1 + random() % 3; changes > 0; --changes) mutate(text, random);
    auto result = read_ir(text);
    if (!result.ok()) {
      ++refused;
      ASSERT_FALSE(result.error().empty());
      continue;
    }
    ++read;
    Module module = std::move(result).value();
    for (const Function& function : module.functions) Walk(module, function).region(function.body);
    ASSERT_NO_THROW(validate(module, IrReaderOptions().max_operations)) << sample.name << " case " << i;
    ASSERT_FALSE(HasFatalFailure()) << sample.name << " case " << i << "\n" << text;
  }
  // Both ways are taken.
  EXPECT_GT(read, kCases / 20);
  EXPECT_GT(refused, kCases / 20);
  RecordProperty("read", read);
}

TEST(IrFuzz, HostileTextCostsLittle) {
  const std::string open = "module {\n  tt.func public @f(%c: i1, %n: i32) {\n", close = "    tt.return\n  }\n}\n";
  const auto repeat = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  EXPECT_FALSE(read_ir(open + repeat("scf.if %c {\n", 100'000) + close).ok());
  EXPECT_FALSE(read_ir(repeat("[", 1'000'000)).ok());
  EXPECT_FALSE(read_ir(open + "%0 = arith.constant dense<" + repeat("[", 1'000'000) + close).ok());
  EXPECT_FALSE(read_ir(open + "%0 = arith.constant {a = " + repeat("[", 1'000'000) + close).ok());
  EXPECT_FALSE(read_ir(open + "%0 = arith.constant {a = " + repeat("() -> ", 1'000'000) + close).ok());
  EXPECT_FALSE(read_ir("#loc = loc(" + repeat("callsite(", 1'000'000)).ok());
  EXPECT_FALSE(read_ir("#loc = loc(" + repeat("\"a\"(", 1'000'000)).ok());
  EXPECT_FALSE(read_ir(open + repeat("x.y:\n", 10) + "%a:4096 = x.y\n%b:4097 = x.y\n" + close).ok());
  std::string groups;
  for (int i = 0; i < 10'000; ++i) groups += "%g" + std::to_string(i) + ":4096 = x.y\n";
  EXPECT_FALSE(read_ir(open + groups + close).ok());
  std::string blocks;
  for (int i = 1; i < 20'000; ++i) {
    blocks += "cf.cond_br %c, ^b" + std::to_string(i) + ", ^b" + std::to_string(20'000 - i) + "\n^b" +
              std::to_string(i) + ":\n";
  }
  EXPECT_FALSE(read_ir(open + blocks + close).ok());
  EXPECT_FALSE(read_ir(std::string(1 << 20, '\0')).ok());
  EXPECT_FALSE(read_ir(std::string(1 << 20, '"')).ok());
}

}  // namespace
}  // namespace tritonrl::machine
