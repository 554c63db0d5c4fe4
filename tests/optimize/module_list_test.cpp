#include "optimize/module_list.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::optimize {
namespace {

class ModuleList : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    base::write_file_atomically(folder.path(name), text);
    return folder.path(name);
  }
  std::string problem(const std::string& lines) const {
    try {
      read_modules(file("list.jsonl", lines));
      return "";
    } catch (const base::UserError& error) {
      return error.what();
    }
  }

  base::ScratchFolder folder;
};

TEST_F(ModuleList, OfLines) {
  file("net.py", "");
  const std::string list =
      file("list.jsonl", R"({"id": "a/b", "module": "net.py:Block", "input": ["f32[8]"], "init": "64", "eval": true}

{"id": "c", "module": "torch.nn:ReLU"}
)");
  const std::vector<ListedModule> read = read_modules(list);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].request.place, folder.path("net.py:Block"));
  EXPECT_EQ(read[0].request.inputs, std::vector<std::string>{"f32[8]"});
  EXPECT_EQ(read[0].request.init, "64");
  EXPECT_TRUE(read[0].request.eval);
  EXPECT_EQ(read[1].request.place, "torch.nn:ReLU");
  EXPECT_FALSE(read[1].request.eval);
}

TEST_F(ModuleList, OfAFolder) {
  file("b.py", "");
  file("a.py", "");
  file("notes.txt", "");
  const std::vector<ListedModule> read = read_modules(folder.path());
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].id, "a");
  EXPECT_EQ(read[1].request.place, folder.path("b.py"));
}

TEST_F(ModuleList, SaysWhichLineIsToBeMended) {
  for (const auto& [lines, why] :
       {std::pair{"{\"id\": \"a\"}\n", "list.jsonl:1: "},
        {"\nnothing\n", "list.jsonl:2: "},
        {"{\"id\": \"../a\", \"module\": \"a.py\"}\n", "cannot be the name of a file"},
        {"{\"id\": \"a\", \"module\": \"a.py\"}\n{\"id\": \"a\", \"module\": \"b.py\"}\n", "comes twice"},
        {"", "has no modules"}})
    EXPECT_NE(problem(lines).find(why), std::string::npos) << problem(lines);
  EXPECT_THROW(read_modules(folder.path("none.jsonl")), base::UserError);
}

}  // namespace
}  // namespace tritonrl::optimize
