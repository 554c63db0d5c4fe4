#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/json.h"
#include "base/subprocess.h"
#include "cli/batch_input.h"
#include "cli/batch_output.h"
#include "tests/base/scratch_folder.h"
#include "tests/paths.h"

namespace tritonrl::cli {
namespace {

using base::Json;
const std::string kProgram = build_path("tests/scripted_batch");
constexpr const char* kTask = "class Model:\n  pass\n";

Json line(const Json& id, const std::string& code) {
  return {{"id", id}, {"task", kTask}, {"code", code}};
}

class VerifyBatch : public ::testing::Test {
 protected:
  base::CommandResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), kProgram);
    return base::run_command(arguments);
  }
  base::CommandResult shell(const std::string& script) {
    return base::run_command({"sh", "-c", script, kProgram, in(), out()});
  }
  void write_input(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& one : lines) text += one + "\n";
    base::write_file_atomically(in(), text);
  }
  std::vector<Json> results() const {
    std::vector<Json> out_lines;
    std::ifstream stream(out());
    for (std::string one; std::getline(stream, one);) out_lines.push_back(Json::parse(one));
    return out_lines;
  }
  bool has_state() const { return std::filesystem::exists(out() + ".state"); }
  std::string in() const { return scratch_.path("in.jsonl"); }
  std::string out() const { return scratch_.path("out.jsonl"); }

  base::ScratchFolder scratch_;
};

TEST_F(VerifyBatch, KeepsTheOrder) {
  std::vector<std::string> lines;
  for (int i = 0; i < 100; ++i) lines.push_back(line(i, "sleep " + std::to_string((i * 7) % 13)).dump());
  write_input(lines);
  const base::CommandResult result = run({in(), out(), "--workers", "8"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("100/100 candidates"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("100 passed"), std::string::npos) << result.errors;
  const std::vector<Json> got = results();
  ASSERT_EQ(got.size(), 100u);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(got[static_cast<std::size_t>(i)]["id"], i);
    EXPECT_EQ(got[static_cast<std::size_t>(i)]["verdict"]["kind"], "passed");
  }
  EXPECT_FALSE(has_state());
}

TEST_F(VerifyBatch, ABadLineGetsAnErrorAndTheOthersAreJudged) {
  std::filesystem::create_directories(scratch_.path("folder"));
  base::write_file_atomically(scratch_.path("task.py"), kTask);
  base::write_file_atomically(scratch_.path("empty.py"), "");
  const std::string folder = scratch_.path("folder");
  write_input({
      line("ok", "wrong").dump(),
      R"({"id": "torn", "task")",
      "",
      R"(["not an object"])",
      R"({"task": "x\n", "code": "y"})",
      R"({"id": "no task", "code": "y"})",
      R"({"id": "no code", "task": "x\n"})",
      R"({"id": "both", "task": "x\n", "code": "y", "answer": "z"})",
      R"({"id": "number", "task": "x\n", "code": 7})",
      R"({"id": "missing", "task": "none.py", "code": "y"})",
      R"({"id": "empty", "task": "empty.py", "code": "y"})",
      R"({"id": "dir", "task": "folder", "code": "y"})",
      Json({{"id", "code dir"}, {"task", "task.py"}, {"code", folder}}).dump(),
      line("bad task", "bad_task").dump(),
      R"({"id": {"an": "object"}, "task": "x\n", "code": "y"})",
      R"({"id": 12, "task": "task.py", "answer": "passed", "code": null})",
      "\xff\xfe\x00",
      R"({"id": "deep", "task": "x\n", "code": )" + std::string(100'000, '['),
  });
  const base::CommandResult result = run({in(), out()});
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  EXPECT_NE(result.errors.find("15 lines could not be judged"), std::string::npos) << result.errors;
  const std::vector<Json> got = results();
  ASSERT_EQ(got.size(), 17u);
  const auto expect_error = [&](std::size_t index, const Json& id, int number, const Json& field,
                                const std::string& part) {
    const Json& one = got[index];
    EXPECT_EQ(one["id"], id) << one;
    EXPECT_EQ(one["error"]["line"], number) << one;
    EXPECT_EQ(one["error"]["field"], field) << one;
    EXPECT_NE(one["error"]["message"].get<std::string>().find(part), std::string::npos) << one;
    EXPECT_FALSE(one.contains("verdict"));
  };
  EXPECT_EQ(got[0]["verdict"]["kind"], "wrong");
  expect_error(1, nullptr, 2, nullptr, "is not JSON");
  expect_error(2, nullptr, 4, nullptr, "is not a JSON object");
  expect_error(3, nullptr, 5, "id", "is missing");
  expect_error(4, "no task", 6, "task", "is missing");
  expect_error(5, "no code", 7, "answer", "is missing");
  expect_error(6, "both", 8, "code", "beside answer");
  expect_error(7, "number", 9, "code", "is not a string");
  expect_error(8, "missing", 10, "task", "none.py");
  expect_error(9, "empty", 11, "task", "is empty");
  expect_error(10, "dir", 12, "task", "is a directory");
  expect_error(11, "code dir", 13, "code", "is a directory");
  expect_error(12, "bad task", 14, "task", "defines no Model");
  expect_error(13, nullptr, 15, "id", "neither a string nor a number");
  EXPECT_EQ(got[14]["id"], 12);
  EXPECT_EQ(got[14]["verdict"]["kind"], "passed");
  expect_error(15, nullptr, 17, nullptr, "is not JSON");
  expect_error(16, nullptr, 18, nullptr, "is not JSON");
}

// Whoever waits for the id hears of it, whatever the texts hold.
TEST_F(VerifyBatch, WhatIsNoTextIsAnErrorUnderItsId) {
  write_input({
      R"({"id": "high", "task": "x\n", "answer": "half \ud83d of a face"})",
      R"({"task": "x\n", "code": "low \uDE00", "id": 7})",
      R"({"id": "turned", "task": "\ude00\ud83d\n", "code": "y"})",
      R"({"id": "both \ud800", "task": "x\n", "code": "y"})",
      R"({"id": "pair", "task": "x\n", "code": "passed \ud83d\ude00 \\ud800"})",
      "{\"id\": \"bytes\", \"task\": \"x\\n\", \"code\": \"\xff\"}",
      R"({"id": "open", "task": "\ud800)",
  });
  const base::CommandResult result = run({in(), out()});
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  const std::vector<Json> got = results();
  ASSERT_EQ(got.size(), 7u);
  const auto expect = [&](std::size_t index, const Json& id, const Json& field, const std::string& part) {
    EXPECT_EQ(got[index]["id"], id) << got[index];
    EXPECT_EQ(got[index]["error"]["field"], field) << got[index];
    EXPECT_NE(got[index]["error"]["message"].text().find(part), std::string::npos) << got[index];
  };
  expect(0, "high", "answer", "unpaired surrogate \\ud83d");
  expect(1, 7, "code", "unpaired surrogate \\uDE00");
  expect(2, "turned", "task", "unpaired surrogate \\ude00");
  expect(3, "both \xEF\xBF\xBD", "id", "unpaired surrogate \\ud800");
  EXPECT_EQ(got[4]["verdict"]["kind"], "passed") << got[4];
  expect(5, "bytes", nullptr, "no UTF-8");
  expect(6, nullptr, nullptr, "is not JSON");
}

// Notepad and PowerShell put one before the first line; files that were joined have one in the middle.
TEST_F(VerifyBatch, AByteOrderMarkIsNoPartOfALine) {
  const std::string mark = "\xEF\xBB\xBF";
  write_input({mark + line("a", "passed").dump(), mark + line("b", "wrong").dump(), mark});
  const base::CommandResult result = run({in(), out()});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const std::vector<Json> got = results();
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0]["id"], "a");
  EXPECT_EQ(got[1]["verdict"]["kind"], "wrong");
}

TEST_F(VerifyBatch, InfrastructureIsExitCodeThree) {
  write_input({line("a", "ours").dump(), line("b", "throw").dump(), line("c", "passed").dump()});
  const base::CommandResult result = run({in(), out()});
  EXPECT_EQ(result.exit_code, 3);
  const std::vector<Json> got = results();
  ASSERT_EQ(got.size(), 3u);
  EXPECT_EQ(got[0]["verdict"]["kind"], "infrastructure");
  EXPECT_EQ(got[1]["verdict"]["kind"], "infrastructure");
  EXPECT_EQ(got[1]["verdict"]["message"], "thrown");
  EXPECT_EQ(got[1]["verdict"]["reward"], nullptr);
  EXPECT_EQ(got[2]["verdict"]["kind"], "passed");
}

TEST_F(VerifyBatch, AnEmptyInputIsAnEmptyOutput) {
  write_input({});
  EXPECT_EQ(run({in(), out()}).exit_code, 0);
  EXPECT_EQ(base::read_file(out()), "");
  EXPECT_FALSE(has_state());
}

TEST_F(VerifyBatch, FilesThatCannotBeUsed) {
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& part) {
    const base::CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
  };
  expect({in(), out()}, "check the path of --batch");
  EXPECT_FALSE(std::filesystem::exists(out()));
  write_input({line("a", "passed").dump()});
  expect({scratch_.path(), out()}, "is a directory");
  expect({in(), scratch_.path()}, "is a directory");
  expect({in(), in()}, "is the input");
  expect({in(), scratch_.path("none/out.jsonl")}, "choose another --out");
  EXPECT_EQ(base::read_file(in()), line("a", "passed").dump() + "\n");
}

TEST_F(VerifyBatch, AnOutputOfAnotherBatchIsRefused) {
  write_input({line("a", "passed").dump()});
  base::write_file_atomically(out(), "precious\n");
  const base::CommandResult refused = run({in(), out()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("--overwrite"), std::string::npos) << refused.errors;
  EXPECT_EQ(base::read_file(out()), "precious\n");
  EXPECT_FALSE(has_state());
  EXPECT_EQ(run({in(), out(), "--overwrite"}).exit_code, 0);
  EXPECT_EQ(results().size(), 1u);
  EXPECT_EQ(run({in(), out()}).exit_code, 2);  // finished
}

TEST_F(VerifyBatch, KilledAtAnyMomentItGoesOn) {
  std::vector<std::string> lines;
  for (int i = 0; i < 200; ++i)
    lines.push_back(i % 10 == 3 ? "broken"
                                : line("c" + std::to_string(i), i % 3 == 0 ? "sleep 9 wrong" : "sleep 3").dump());
  write_input(lines);
  const std::string whole = scratch_.path("whole.jsonl");
  ASSERT_EQ(run({in(), whole, "--seed", "5"}).exit_code, 2);
  int kills = 0;
  for (int attempt = 0; attempt < 200; ++attempt) {
    // A little longer each time, so that a slow machine comes to the end as well.
    const std::string pause = std::to_string(0.02 + 0.01 * attempt);
    // The first run that writes something decides; later ones must take its seed from the state file.
    const bool begun = std::filesystem::exists(out()) && std::filesystem::file_size(out()) > 0;
    const base::CommandResult result =
        shell("timeout -s KILL " + pause + R"( "$0" "$1" "$2" --workers 3 --seed )" + (begun ? "77" : "5"));
    if (result.exit_code == 2) break;
    ASSERT_EQ(result.exit_code, 137) << result.errors;
    ++kills;
    if (attempt % 3 == 0 && std::filesystem::exists(out()) && std::filesystem::file_size(out()) > 0) {
      std::ofstream(out(), std::ios::app) << "{\"id\": \"torn";  // as if killed in the middle of a line
    }
  }
  EXPECT_GT(kills, 3);
  EXPECT_EQ(base::read_file(out()), base::read_file(whole));
  EXPECT_FALSE(has_state());
}

TEST_F(VerifyBatch, GoesOnOnlyWithTheSameInputAndOptions) {
  std::vector<std::string> lines;
  for (int i = 0; i < 50; ++i) lines.push_back(line(i, "sleep 10").dump());
  write_input(lines);
  const std::string begin = "timeout -s KILL 0.2 \"$0\" \"$1\" \"$2\" --workers 1 --fingerprint A";
  ASSERT_EQ(shell(begin).exit_code, 137);
  const std::string partial = base::read_file(out());
  ASSERT_FALSE(partial.empty());

  const base::CommandResult other = run({in(), out(), "--fingerprint", "B"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.errors.find("other options"), std::string::npos) << other.errors;
  const std::vector<std::string> original = lines;
  lines[0] = line(0, "wrong").dump();
  write_input(lines);
  const base::CommandResult changed = run({in(), out(), "--fingerprint", "A"});
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_NE(changed.errors.find("other input"), std::string::npos) << changed.errors;
  write_input({original[0]});  // shorter than what is done
  EXPECT_EQ(run({in(), out(), "--fingerprint", "A"}).exit_code, 2);
  EXPECT_EQ(base::read_file(out()), partial);

  std::vector<std::string> longer = original;  // more may have come
  longer.push_back(line(50, "passed").dump());
  write_input(longer);
  const base::CommandResult done = run({in(), out(), "--fingerprint", "A"});
  EXPECT_EQ(done.exit_code, 0) << done.errors;
  EXPECT_NE(done.errors.find("of an earlier run are kept"), std::string::npos) << done.errors;
  EXPECT_EQ(base::read_file(out()).substr(0, partial.size()), partial);
  EXPECT_EQ(results().size(), 51u);
}

TEST_F(VerifyBatch, ASignalStopsItCleanly) {
  std::vector<std::string> lines;
  for (int i = 0; i < 600; ++i) lines.push_back(line(i, i == 0 ? "passed" : "sleep 10").dump());
  write_input(lines);
  for (const auto& [name, code] : {std::pair{"INT", 130}, {"TERM", 143}}) {
    // as soon as it has judged a few; jobs of their own, since others do not hear SIGINT
    const base::CommandResult result = shell(
        "set -m; lines() { wc -l < \"$1\" 2> /dev/null || echo 0; }; before=$(lines \"$2\"); \"$0\" \"$1\" \"$2\" "
        "--workers 2 & "
        "for i in $(seq 500); do [ $(lines \"$2\") -gt $((before + 5)) ] && break; sleep 0.02; done; kill -" +
        std::string(name) + " $!; wait $!");
    EXPECT_EQ(result.exit_code, code) << result.errors;
    EXPECT_NE(result.errors.find("the same command goes on"), std::string::npos) << result.errors;
    const std::vector<Json> got = results();
    EXPECT_GT(got.size(), 0u);
    EXPECT_LT(got.size(), 600u);
    for (const Json& one : got) EXPECT_EQ(one["verdict"]["kind"], "passed");
    EXPECT_TRUE(has_state());
  }
  EXPECT_EQ(run({in(), out()}).exit_code, 0);
  const std::vector<Json> got = results();
  ASSERT_EQ(got.size(), 600u);
  for (int i = 0; i < 600; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)]["id"], i);
}

TEST_F(VerifyBatch, TwoProcessesDoNotWriteOneFile) {
  write_input({line("a", "sleep 1000").dump()});
  const base::CommandResult result =
      shell("\"$0\" \"$1\" \"$2\" --quiet & sleep 0.3; \"$0\" \"$1\" \"$2\"; code=$?; wait; exit $code");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(results().size(), 1u);
}

TEST_F(VerifyBatch, APipeGetsEachResultWhenItsTurnComes) {
  const std::string script =
      "mkfifo \"$1.to\" \"$1.from\"; \"$0\" - - --quiet < \"$1.to\" > \"$1.from\" & exec 3> \"$1.to\" 4< \"$1.from\"; "
      "printf '%s\\n' '" +
      line("first", "passed").dump() + "' >&3; read -r one <&4; printf '%s\\n' '" + line("second", "wrong").dump() +
      "' >&3; read -r two <&4; exec 3>&-; wait $!; code=$?; "
      "printf '%s\\n%s\\n' \"$one\" \"$two\"; exit $code";
  const base::CommandResult piped = base::run_command({"bash", "-c", script, kProgram, in()});
  EXPECT_EQ(piped.exit_code, 0) << piped.errors;
  EXPECT_EQ(piped.errors, "");
  std::istringstream stream(piped.output);
  std::string one, two;
  std::getline(stream, one);
  std::getline(stream, two);
  EXPECT_EQ(Json::parse(one)["id"], "first");
  EXPECT_EQ(Json::parse(two)["id"], "second");
}

TEST_F(VerifyBatch, UnorderedResultsDoNotWaitForASlowOne) {
  write_input({line("slow", "sleep 500").dump(), "broken", line("quick", "passed").dump()});
  const base::CommandResult result = run({in(), "-", "--unordered", "--workers", "2"});
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  std::istringstream stream(result.output);
  std::vector<Json> ids;
  for (std::string one; std::getline(stream, one);) ids.push_back(Json::parse(one)["id"]);
  EXPECT_EQ(ids, (std::vector<Json>{nullptr, "quick", "slow"}));

  const base::CommandResult refused = run({in(), out(), "--unordered"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("--unordered"), std::string::npos) << refused.errors;
}

TEST_F(VerifyBatch, AReaderThatGoesAwayEndsIt) {
  std::vector<std::string> lines(500, line("x", "sleep 5").dump());
  write_input(lines);
  const base::CommandResult result = shell("\"$0\" \"$1\" - --quiet 2>&1 > /dev/full");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.output.find("cannot write -"), std::string::npos) << result.output;
}

TEST_F(VerifyBatch, ALineWithoutNewlineAtTheEndCounts) {
  base::write_file_atomically(in(), line("a", "passed").dump() + "\r\n\n" + line("b", "passed").dump());
  EXPECT_EQ(run({in(), out()}).exit_code, 0);
  EXPECT_EQ(results().size(), 2u);
}

}  // namespace
}  // namespace tritonrl::cli
