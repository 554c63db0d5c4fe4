#include "machine/ir/reader.h"

#include <algorithm>
#include <string>

#include "machine/ir/attributes.h"
#include "machine/ir/operations.h"
#include "machine/ir/validate.h"

namespace tritonrl::machine {
namespace {

class ModuleReader {
 public:
  ModuleReader(std::string_view text, const IrReaderOptions& options) : reading_(text, options) {}

  Module read() {
    IrCursor& cursor = reading_.cursor;
    while (cursor.peek() != '\0') read_top();
    if (cursor.offset() != cursor.text().size()) cursor.fail("a zero byte");
    for (Function& function : module_.functions) {
      function.location = reading_.locations.resolve(function.location);
      resolve(function.body);
    }
    validate(module_, reading_.options.max_operations);
    module_.locations = std::move(reading_.locations.places());
    return std::move(module_);
  }

 private:
  void read_top() {
    IrCursor& cursor = reading_.cursor;
    if (cursor.accept("{-#")) {  // resources
      const std::size_t end = cursor.text().find("#-}", cursor.offset());
      if (end == std::string_view::npos) cursor.fail("resources without an end");
      cursor.seek(end + 3);
    } else if (cursor.peek() == '#' || cursor.peek() == '!') {
      read_alias();
    } else if (cursor.accept_word("module") || cursor.accept_word("builtin.module")) {
      read_module();
    } else {
      read_function();
    }
  }

  // "#loc3 = loc(…)"; others are skipped.
  void read_alias() {
    IrCursor& cursor = reading_.cursor;
    const bool hash = cursor.peek() == '#';
    cursor.expect(hash ? "#" : "!");
    const std::string_view name = cursor.suffix();
    cursor.expect("=");
    if (hash && cursor.accept_word("loc")) {
      reading_.locations.define(cursor, name);
    } else {
      cursor.skip_statement();
    }
  }

  void read_module() {
    IrCursor& cursor = reading_.cursor;
    if (cursor.accept("@")) read_symbol();
    if (cursor.accept_word("attributes")) skip_dictionary();
    cursor.expect("{");
    while (!cursor.accept("}")) read_function();
    if (cursor.accept_word("loc")) reading_.locations.read(cursor);
  }

  std::string read_symbol() {
    IrCursor& cursor = reading_.cursor;
    return cursor.peek() == '"' ? cursor.string() : std::string(cursor.suffix());
  }

  void skip_dictionary() {
    Attributes unused;
    read_attribute_dictionary(reading_.cursor, reading_.options.max_elements, unused);
  }

  // "tt.func public @name(%x: T {attributes} loc(…), …) -> (U) attributes {…} { … } loc(…)"
  void read_function() {
    IrCursor& cursor = reading_.cursor;
    if (!cursor.accept_word("tt.func")) cursor.fail("expected a function");
    Function& function = module_.functions.emplace_back();
    if (cursor.accept_word("public")) {
      function.is_public = true;
    } else if (!cursor.accept_word("private") && !cursor.accept_word("nested")) {
      function.is_public = true;  // MLIR's default
    }
    cursor.expect("@");
    function.name = read_symbol();
    OperationReader reader(reading_, function);
    const std::vector<NamedType> parameters = read_parameters(reader);
    if (cursor.accept("->")) read_results(function);
    if (cursor.accept_word("attributes")) skip_dictionary();
    if (cursor.peek() == '{') {
      function.body = reader.read_region(parameters);
      if (!function.body.blocks.empty()) function.parameters = function.body.blocks[0].arguments;
    }
    function.location = reader.read_location();
  }

  // A declaration has types alone; their values are nobody's.
  std::vector<NamedType> read_parameters(OperationReader& reader) {
    IrCursor& cursor = reading_.cursor;
    std::vector<NamedType> parameters;
    cursor.expect("(");
    if (cursor.accept(")")) return parameters;
    do {
      NamedType parameter;
      if (cursor.peek() == '%') {
        parameter.name = reader.read_name();
        cursor.expect(":");
      }
      parameter.type = reading_.read_type();
      if (cursor.peek() == '{') skip_dictionary();
      reader.read_location();
      parameters.push_back(std::move(parameter));
    } while (cursor.accept(","));
    cursor.expect(")");
    return parameters;
  }

  void read_results(Function& function) {
    IrCursor& cursor = reading_.cursor;
    if (!cursor.accept("(")) {
      function.results.push_back(reading_.read_type());
      return;
    }
    if (cursor.accept(")")) return;
    do {
      function.results.push_back(reading_.read_type());
      if (cursor.peek() == '{') skip_dictionary();
    } while (cursor.accept(","));
    cursor.expect(")");
  }

  void resolve(Region& region) {
    for (Block& block : region.blocks) {
      for (Operation& op : block.operations) {
        op.location = reading_.locations.resolve(op.location);
        for (Region& inner : op.regions) resolve(inner);
      }
    }
  }

  IrReading reading_;
  Module module_;
};

std::string place(std::string_view text, std::size_t offset) {
  std::size_t line = 1, start = 0;
  offset = std::min(offset, text.size());
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] != '\n') continue;
    ++line;
    start = i + 1;
  }
  return std::to_string(line) + ":" + std::to_string(offset - start + 1);
}

}  // namespace

base::Result<Module> read_ir(std::string_view text, const IrReaderOptions& options) {
  try {
    return ModuleReader(text, options).read();
  } catch (const IrError& error) {
    return base::Failure{place(text, error.offset) + ": " + error.message};
  }
}

}  // namespace tritonrl::machine
