#include "machine/ir/reader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <set>

#include "tests/machine/ir/samples.h"

namespace tritonrl::machine {
namespace {

Module read(const std::string& text) {
  auto result = read_ir(text);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error());
  return result.ok() ? std::move(result).value() : Module();
}

void for_each(const Region& region, const std::function<void(const Operation&)>& visit) {
  for (const Block& block : region.blocks) {
    for (const Operation& op : block.operations) {
      visit(op);
      for (const Region& inner : op.regions) for_each(inner, visit);
    }
  }
}

// Operations of a name, over all functions, in the order of the text.
std::vector<Operation> all(const Module& module, std::string_view name) {
  std::vector<Operation> found;
  for (const Function& function : module.functions) {
    for_each(function.body, [&](const Operation& op) {
      if (op.name == name) found.push_back(op);
    });
  }
  return found;
}

Operation first(const Module& module, std::string_view name) {
  const std::vector<Operation> found = all(module, name);
  EXPECT_FALSE(found.empty()) << name;
  return found.empty() ? Operation() : found[0];
}

const Type& type(const Module& module, ValueId value) {
  return module.functions[0].values[static_cast<std::size_t>(value)];
}

std::vector<std::int64_t> list(const Operation& op, std::string_view key) {
  const Attribute* found = op.attribute(key);
  EXPECT_NE(found, nullptr) << key;
  return found == nullptr ? std::vector<std::int64_t>() : std::get<std::vector<std::int64_t>>(*found);
}

TEST(IrReader, ReadsWhatTritonPrints) {
  const std::vector<IrSample> samples = ir_samples();
  ASSERT_GE(samples.size(), 30u);
  for (const IrSample& sample : samples) {
    SCOPED_TRACE(sample.name);
    const Module module = read(sample.text);
    ASSERT_NE(module.entry(), nullptr);
    EXPECT_EQ(module.locations.empty(), sample.text.find("loc(") == std::string::npos);
    if (sample.name == "unknown") continue;
    for (const Function& function : module.functions) {
      for_each(function.body, [](const Operation& op) { EXPECT_TRUE(op.known) << op.text; });
    }
  }
}

// What is left when an operation is taken out of the samples would be read by nobody.
TEST(IrReader, SamplesShowTheOperations) {
  std::set<std::string> shown;
  for (const IrSample& sample : ir_samples()) {
    const Module module = read(sample.text);
    for (const Function& function : module.functions) {
      for_each(function.body, [&](const Operation& op) { shown.insert(op.name); });
    }
  }
  for (const char* name : {"arith.addf",
                           "arith.addi",
                           "arith.andi",
                           "arith.bitcast",
                           "arith.cmpf",
                           "arith.cmpi",
                           "arith.constant",
                           "arith.divf",
                           "arith.divsi",
                           "arith.divui",
                           "arith.extf",
                           "arith.extsi",
                           "arith.extui",
                           "arith.fptosi",
                           "arith.fptoui",
                           "arith.maximumf",
                           "arith.maxnumf",
                           "arith.minimumf",
                           "arith.minnumf",
                           "arith.muli",
                           "arith.remsi",
                           "arith.remui",
                           "arith.select",
                           "arith.shli",
                           "arith.shrsi",
                           "arith.shrui",
                           "arith.sitofp",
                           "arith.truncf",
                           "arith.trunci",
                           "arith.uitofp",
                           "arith.xori",
                           "cf.assert",
                           "cf.br",
                           "cf.cond_br",
                           "cf.switch",
                           "gpu.barrier",
                           "llvm.intr.assume",
                           "math.absf",
                           "math.absi",
                           "math.ceil",
                           "math.cos",
                           "math.erf",
                           "math.exp",
                           "math.exp2",
                           "math.floor",
                           "math.fma",
                           "math.log",
                           "math.log2",
                           "math.rsqrt",
                           "math.sin",
                           "math.sqrt",
                           "scf.condition",
                           "scf.execute_region",
                           "scf.for",
                           "scf.if",
                           "scf.index_switch",
                           "scf.while",
                           "scf.yield",
                           "tt.addptr",
                           "tt.advance",
                           "tt.assert",
                           "tt.atomic_cas",
                           "tt.atomic_rmw",
                           "tt.bitcast",
                           "tt.broadcast",
                           "tt.call",
                           "tt.cat",
                           "tt.clampf",
                           "tt.descriptor_gather",
                           "tt.descriptor_load",
                           "tt.descriptor_reduce",
                           "tt.descriptor_scatter",
                           "tt.descriptor_store",
                           "tt.dot",
                           "tt.dot_scaled",
                           "tt.elementwise_inline_asm",
                           "tt.expand_dims",
                           "tt.extern_elementwise",
                           "tt.fp_to_fp",
                           "tt.gather",
                           "tt.get_num_programs",
                           "tt.get_program_id",
                           "tt.histogram",
                           "tt.int_to_ptr",
                           "tt.join",
                           "tt.load",
                           "tt.make_range",
                           "tt.make_tensor_descriptor",
                           "tt.make_tensor_ptr",
                           "tt.map_elementwise",
                           "tt.map_elementwise.return",
                           "tt.mulhiui",
                           "tt.precise_divf",
                           "tt.precise_sqrt",
                           "tt.print",
                           "tt.ptr_to_int",
                           "tt.reduce",
                           "tt.reduce.return",
                           "tt.reshape",
                           "tt.return",
                           "tt.scan",
                           "tt.scan.return",
                           "tt.splat",
                           "tt.split",
                           "tt.store",
                           "tt.trans",
                           "tt.unsplat",
                           "ttg.barrier",
                           "ub.poison"}) {
    EXPECT_TRUE(shown.contains(name)) << name;
  }
}

TEST(IrReader, GivesAttributesOfMemoryOperations) {
  const Module module = read(ir_sample("memory_36_raw_bare").text);
  std::set<std::string> kinds, sems, scopes;
  for (const Operation& op : all(module, "tt.atomic_rmw")) {
    kinds.emplace(op.string("rmw"));
    sems.emplace(op.string("sem"));
    scopes.emplace(op.string("scope"));
  }
  for (const char* kind : {"fadd", "add", "and", "or", "xor", "max", "min", "exch"}) EXPECT_TRUE(kinds.contains(kind));
  EXPECT_EQ(sems, (std::set<std::string>{"acq_rel", "release", "acquire"}));
  EXPECT_EQ(scopes, (std::set<std::string>{"gpu", "cta", "sys"}));
  EXPECT_EQ(first(module, "tt.atomic_cas").string("sem"), "relaxed");
  EXPECT_EQ(first(module, "tt.atomic_cas").operands.size(), 3u);
  const std::vector<Operation> loads = all(module, "tt.load");
  EXPECT_EQ(loads[0].operands.size(), 2u);
  EXPECT_EQ(loads[1].operands.size(), 3u);
  EXPECT_EQ(loads[1].string("cache"), "ca");
  EXPECT_EQ(loads[1].string("evict"), "evict_first");
  EXPECT_TRUE(loads[1].flag("isVolatile"));
  EXPECT_EQ(loads[0].attribute("cache"), nullptr);
  EXPECT_FALSE(loads[0].flag("isVolatile"));
  const std::vector<Operation> assembly = all(module, "tt.elementwise_inline_asm");
  EXPECT_EQ(assembly[0].results.size(), 2u);
  EXPECT_EQ(assembly[0].string("constraints"), "=r,=r,r,r");
  EXPECT_EQ(assembly[0].string("asm"), "{ mov.b32 $0, $2; mov.b32 $1, $3; }");
  EXPECT_EQ(assembly[0].integer("packed_element", 0), 1);
  EXPECT_FALSE(assembly[0].flag("pure"));
  EXPECT_TRUE(assembly[1].operands.empty());
}

TEST(IrReader, GivesAttributesOfBlockOperations) {
  const Module module = read(ir_sample("blocks_37_raw").text);
  const Operation pointer = first(module, "tt.make_tensor_ptr");
  EXPECT_EQ(pointer.operands.size(), 7u);
  EXPECT_EQ(list(pointer, "order"), (std::vector<std::int64_t>{1, 0}));
  const std::vector<Operation> loads = all(module, "tt.load");
  EXPECT_EQ(list(loads[0], "boundaryCheck"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(loads[0].integer("padding", 0), 1);
  EXPECT_EQ(loads[1].integer("padding", 0), 2);
  std::map<std::string, int> precisions;
  for (const Operation& op : all(module, "tt.dot")) ++precisions[std::string(op.string("inputPrecision", "ieee"))];
  EXPECT_EQ(precisions["tf32x3"], 1);
  EXPECT_GE(precisions["ieee"], 1);
  EXPECT_GE(precisions["tf32"], 1);
  EXPECT_NE(module.entry(), nullptr);
  EXPECT_GT(module.functions.size(), 1u);
  const Operation loop = first(module, "scf.for");
  EXPECT_TRUE(loop.flag("tt.flatten"));
  EXPECT_TRUE(loop.flag("tt.disallow_acc_multi_buffer"));
  EXPECT_EQ(loop.integer("tt.num_stages", 0), 3);
  EXPECT_EQ(loop.operands.size(), 3 + loop.results.size());
  EXPECT_EQ(loop.regions[0].blocks[0].arguments.size(), 1 + loop.results.size());
  const Module descriptors = read(ir_sample("descs_36_opt").text);
  EXPECT_EQ(first(descriptors, "tt.make_tensor_descriptor").operands.size(), 5u);
  EXPECT_EQ(first(descriptors, "tt.descriptor_reduce").string("kind"), "add");
  EXPECT_EQ(first(descriptors, "tt.descriptor_store").operands.size(), 4u);
  const Module scaled = read(ir_sample("scaled_37_opt_bare").text);
  const std::vector<Operation> dots = all(scaled, "tt.dot_scaled");
  EXPECT_EQ(dots[0].operands.size(), 5u);
  EXPECT_FALSE(dots[1].flag("b_scale"));
  EXPECT_FALSE(dots[2].flag("a_scale"));
  EXPECT_TRUE(dots[2].flag("fastMath"));
  EXPECT_EQ(dots[2].string("a_elem_type"), "e5m2");
}

TEST(IrReader, GivesAttributesOfOtherOperations) {
  const Module shapes = read(ir_sample("shapes_37_raw_bare").text);
  EXPECT_EQ(list(first(shapes, "tt.trans"), "order"), (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(all(shapes, "tt.histogram")[1].operands.size(), 2u);
  EXPECT_EQ(first(shapes, "tt.gather").integer("axis", -1), 0);
  EXPECT_EQ(first(shapes, "tt.get_program_id").integer("axis", -1), 1);
  EXPECT_EQ(all(shapes, "tt.get_program_id")[1].integer("axis", -1), 2);
  const Operation print = first(shapes, "tt.print");
  EXPECT_EQ(print.string("prefix"), " v: ");
  EXPECT_TRUE(print.flag("hex"));
  EXPECT_EQ(list(print, "isSigned"), (std::vector<std::int64_t>{0, 1}));
  const Operation range = first(shapes, "tt.make_range");
  EXPECT_EQ(range.integer("start", -1), 0);
  EXPECT_EQ(range.integer("end", -1), 16);
  EXPECT_TRUE(std::holds_alternative<Dense>(*range.attribute("tt.contiguity")));
  const Module asserts = read(ir_sample("asserts_37_raw").text);
  EXPECT_EQ(first(asserts, "tt.assert").string("message"), "bad \\ \"n\"\t%d");
  const Module maths = read(ir_sample("maths_36_opt_bare").text);
  EXPECT_EQ(all(maths, "tt.clampf")[0].string("propagateNan"), "none");
  EXPECT_EQ(all(maths, "tt.clampf")[1].string("propagateNan"), "all");
  EXPECT_EQ(first(maths, "tt.extern_elementwise").string("symbol"), "__nv_tanhf");
  const Module casts = read(ir_sample("casts_37_opt_bare").text);
  std::set<std::string> roundings;
  for (const Operation& op : all(casts, "tt.fp_to_fp")) roundings.emplace(op.string("rounding", "none"));
  EXPECT_TRUE(roundings.contains("rtne") && roundings.contains("rtz") && roundings.contains("none"));
  const Module scans = read(ir_sample("reduces_36_raw").text);
  EXPECT_TRUE(first(scans, "tt.scan").flag("reverse"));
  EXPECT_EQ(first(scans, "tt.scan").operands.size(), 2u);
  const Module calls = read(ir_sample("sm_36_raw").text);
  for (const Operation& op : all(calls, "tt.call")) EXPECT_NE(calls.find(op.string("callee")), nullptr);
  EXPECT_FALSE(calls.functions[1].is_public);
}

TEST(IrReader, ReadsFormsThatTritonSeldomPrints) {
  const Module module = read(ir_sample("forms").text);
  EXPECT_EQ(first(module, "arith.addf").string("fastmath"), "fast");
  EXPECT_EQ(first(module, "arith.addi").string("overflow"), "nsw, nuw");
  EXPECT_TRUE(first(module, "arith.divsi").flag("exact"));
  EXPECT_TRUE(first(module, "arith.extui").flag("nneg"));
  EXPECT_TRUE(first(module, "arith.truncf").flag("to_nearest_even"));
  EXPECT_EQ(first(module, "arith.cmpi").string("predicate"), "slt");
  const std::vector<Operation> constants = all(module, "arith.constant");
  EXPECT_EQ(std::get<Dense>(*constants[0].attribute("value")).bits, std::vector<std::uint64_t>{0xFB});
  EXPECT_EQ(std::get<Dense>(*constants[1].attribute("value")).bits, std::vector<std::uint64_t>{0x3E00});
  const std::vector<Operation> loads = all(module, "tt.load");
  EXPECT_EQ(to_string(type(module, loads[0].results[0])), "!tt.ptr<f16>");
  EXPECT_EQ(loads[1].string("evict"), "evict_last");
  EXPECT_EQ(loads[1].string("cache"), "cv");
  EXPECT_EQ(loads[2].string("cache"), "cg");
  EXPECT_EQ(first(module, "tt.atomic_rmw").string("rmw"), "fadd");
  EXPECT_EQ(first(module, "tt.atomic_rmw").string("sem"), "acq_rel");
  EXPECT_TRUE(first(module, "tt.reshape").flag("allow_reorder"));
  EXPECT_EQ(first(module, "ttg.barrier").string("spaces"), "global_read|global_write");
  const std::vector<Operation> ifs = all(module, "scf.if");
  EXPECT_EQ(ifs[0].regions.size(), 2u);
  EXPECT_EQ(ifs[1].regions.size(), 1u);
  const Operation branch = first(module, "cf.cond_br");
  EXPECT_EQ(branch.operands.size(), 1u);
  EXPECT_EQ(branch.successors[0].arguments.size(), 1u);
  EXPECT_EQ(branch.successors[1].arguments.size(), 2u);
}

TEST(IrReader, ReadsControlFlow) {
  const Module module = read(ir_sample("control_flow").text);
  const std::vector<Operation> loops = all(module, "scf.for");
  EXPECT_FALSE(loops[0].flag("unsigned"));
  EXPECT_TRUE(loops[1].flag("unsigned"));
  EXPECT_TRUE(loops[1].flag("tt.warp_specialize"));
  EXPECT_EQ(loops[0].regions[0].blocks[0].operations.back().name, "scf.yield");
  EXPECT_EQ(first(module, "scf.if").regions.size(), 2u);
  const Operation choice = first(module, "scf.index_switch");
  EXPECT_EQ(list(choice, "cases"), (std::vector<std::int64_t>{-2, 5}));
  EXPECT_EQ(choice.regions.size(), 3u);
  const Operation branch = first(module, "cf.switch");
  EXPECT_EQ(list(branch, "cases"), (std::vector<std::int64_t>{-1, 42}));
  ASSERT_EQ(branch.successors.size(), 3u);
  EXPECT_EQ(branch.successors[0].block, 3);
  EXPECT_EQ(branch.successors[1].block, 1);
  EXPECT_EQ(branch.successors[2].arguments.size(), 2u);
  EXPECT_EQ(first(module, "scf.execute_region").regions[0].blocks.size(), 2u);
}

TEST(IrReader, FindsPlacesAndTheirCallers) {
  const Module module = read(ir_sample("locations").text);
  const std::vector<Operation> ops = all(module, "arith.constant");
  // By operation: file, line and column from the innermost place outwards.
  const std::vector<std::vector<std::string>> expected = {
      {"kernel.py:4:11"},
      {"kernel.py:4:11"},
      {"standard.py:40:1", "kernel.py:6:2"},
      {"standard.py:20:4", "standard.py:10:2", "kernel.py:7:8"},
      {"kernel.py:4:11"},
      {"kernel.py:11:1"},
      {},
      {},
      {"standard.py:50:1", "standard.py:40:1", "kernel.py:6:2"},
      {},
      {"kernel.py:12:1"},
  };
  ASSERT_EQ(ops.size(), expected.size());
  for (std::size_t i = 0; i < ops.size(); ++i) {
    std::vector<std::string> chain;
    for (int at = ops[i].location; at >= 0; at = module.locations[static_cast<std::size_t>(at)].caller) {
      const Location& place = module.locations[static_cast<std::size_t>(at)];
      chain.push_back(place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column));
    }
    EXPECT_EQ(chain, expected[i]) << i;
  }
  EXPECT_EQ(place_in(module, ops[3].location, "kernel.py")->line, 7);
  EXPECT_EQ(place_in(module, ops[3].location, "standard.py")->line, 20);
  EXPECT_EQ(place_in(module, ops[3].location, "elsewhere.py")->line, 7);
  EXPECT_EQ(place_in(module, ops[6].location, "kernel.py"), nullptr);
}

TEST(IrReader, KeepsWhatItDoesNotKnow) {
  const Module module = read(ir_sample("unknown").text);
  const Operation alloc = first(module, "ttg.local_alloc");
  EXPECT_FALSE(alloc.known);
  EXPECT_EQ(alloc.results.size(), 1u);
  EXPECT_EQ(place_in(module, alloc.location, "kernel.py")->line, 4);
  EXPECT_EQ(alloc.text, "%0 = ttg.local_alloc : () -> !ttg.memdesc<16xf32, #shared, #smem, mutable>");
  EXPECT_EQ(type(module, alloc.results[0]).kind, Type::Kind::kOpaque);
  EXPECT_EQ(first(module, "gluon.thing").results.size(), 2u);
  const Operation other = first(module, "other.thing");
  EXPECT_FALSE(other.known);
  EXPECT_EQ(other.operands.size(), 2u);
  EXPECT_EQ(other.integer("axis", 0), 1);
  EXPECT_EQ(to_string(type(module, other.results[0])), "tensor<4xf32>");
  EXPECT_TRUE(first(module, "arith.addf").known);
  EXPECT_TRUE(first(module, "arith.addi").known) << "the text tells the type of its operand";
  EXPECT_TRUE(first(module, "scf.for").known);
  EXPECT_EQ(place_in(module, first(module, "gluon.region").location, "kernel.py")->line, 8);
  EXPECT_FALSE(first(module, "tt.call").known) << "a function without a body";
  EXPECT_TRUE(first(module, "scf.if").known) << "a condition is i1";
  EXPECT_EQ(first(module, "scf.if").regions[0].blocks[0].operations.back().name, "scf.yield");
  EXPECT_FALSE(first(module, "tt.make_tensor_ptr").known) << "nothing tells the type of its operands";
  EXPECT_TRUE(all(module, "gluon.inside").empty());
}

TEST(IrReader, NamesThePlaceOfAnError) {
  const auto result = read_ir("module {\n  tt.func public @f() {\n    tt.return %x : i32\n  }\n}\n");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error(), "3:15: %x is not defined");
}

TEST(IrReader, RefusesWhatIsNoText) {
  for (const std::string text :
       {"module {", "}", "module { x }", "module {\n  tt.func public @f() {\n    word\n  }\n}\n", "tt.func @f()",
        "tt.func public @f( {", "#loc = 5 {", "module {\n  tt.load\n}\n", "{-# x"}) {
    const auto result = read_ir(text);
    if (text == "tt.func @f()") {
      EXPECT_TRUE(result.ok()) << "a declaration, without a module around it";
    } else {
      EXPECT_FALSE(result.ok()) << text;
    }
  }
  EXPECT_TRUE(read_ir("").ok());
  EXPECT_EQ(read_ir("").value().entry(), nullptr);
}

TEST(IrReader, HoldsItsLimits) {
  const auto fails = [](const std::string& text, const IrReaderOptions& options, const std::string& message) {
    const auto result = read_ir(text, options);
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().find(message), std::string::npos) << result.error();
  };
  IrReaderOptions options;
  options.max_elements = 63;
  fails(ir_sample("sm_37_opt").text, options, "too many elements");
  options = {};
  options.max_operations = 10;
  fails(ir_sample("sm_37_opt").text, options, "too many operations");
  options = {};
  options.max_depth = 2;
  fails(ir_sample("control_37_opt").text, options, "nest too deep");
}

TEST(IrReader, IsFast) {
  std::string body;
  for (int i = 0; i < 2000; ++i) {
    body += "    %v" + std::to_string(i + 1) + " = arith.addf %v" + std::to_string(i) + ", %v" + std::to_string(i) +
            " : tensor<64x64xf32> loc(callsite(\"standard.py\":" + std::to_string(i) + ":4 at #loc))\n";
  }
  const std::string text = "#loc = loc(\"kernel.py\":1:1)\nmodule {\n  tt.func public @f(%v0: tensor<64x64xf32>) {\n" +
                           body + "    tt.return\n  }\n}\n";
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ASSERT_TRUE(read_ir(text).ok());
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  RecordProperty("ms", std::to_string(best));
  EXPECT_LT(best, 200) << "ms for 2,000 lines; a few are usual";
}

}  // namespace
}  // namespace tritonrl::machine
