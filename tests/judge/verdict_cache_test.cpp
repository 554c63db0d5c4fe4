#include "judge/verdict_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "judge/options.h"
#include "judge/scripted_judge.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::judge {
namespace {

namespace fs = std::filesystem;
using record::Verdict;
using record::VerdictKind;

Verdict verdict(VerdictKind kind, const std::string& message = "") {
  Verdict out;
  out.kind = kind;
  out.message = message;
  out.reward = 0.7;
  return out;
}

class VerdictCacheTest : public ::testing::Test {
 protected:
  VerdictCacheOptions options() {
    VerdictCacheOptions out;
    out.folder = scratch_.path("cache");
    out.warn = [this](const std::string& message) { warnings_.push_back(message); };
    return out;
  }
  std::string file() const { return scratch_.path("cache/verdicts.sqlite"); }

  base::ScratchFolder scratch_;
  std::vector<std::string> warnings_;
};

TEST_F(VerdictCacheTest, KeepsVerdictsOverARestart) {
  const Verdict passed = verdict(VerdictKind::kPassed, "said \"so\"\n");
  {
    VerdictCache cache(options());
    EXPECT_FALSE(cache.find("a").has_value());
    cache.store("a", passed);
    EXPECT_EQ(cache.find("a"), passed);
  }
  VerdictCache cache(options());
  EXPECT_EQ(cache.find("a"), passed);
  EXPECT_FALSE(cache.find("b").has_value());
  cache.store("a", verdict(VerdictKind::kWrong));
  EXPECT_EQ(cache.find("a")->kind, VerdictKind::kWrong);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(VerdictCacheTest, InfrastructureIsNeverKept) {
  VerdictCache cache(options());
  cache.store("a", verdict(VerdictKind::kInfrastructure));
  cache.store("a", verdict(VerdictKind::kUnjudged));
  EXPECT_FALSE(cache.find("a").has_value());
}

TEST_F(VerdictCacheTest, AFileThatIsNoDatabaseIsMovedAside) {
  fs::create_directories(scratch_.path("cache"));
  base::write_file_atomically(file(), std::string(10'000, 'x'));
  VerdictCache cache(options());
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("is damaged: moved to verdicts.sqlite.damaged."), std::string::npos) << warnings_[0];
  cache.store("a", verdict(VerdictKind::kPassed));
  EXPECT_TRUE(cache.find("a").has_value());
  int aside = 0;
  for (const auto& entry : fs::directory_iterator(scratch_.path("cache"))) {
    if (entry.path().string().find(".damaged.") != std::string::npos) {
      ++aside;
      EXPECT_EQ(base::read_file(entry.path()), std::string(10'000, 'x'));
    }
  }
  EXPECT_EQ(aside, 1);
}

TEST_F(VerdictCacheTest, DamageInTheMiddleIsFoundOnUse) {
  {
    VerdictCache cache(options());
    for (int i = 0; i < 500; ++i) cache.store(base::sha256(std::to_string(i)), verdict(VerdictKind::kPassed));
  }
  {
    std::fstream stream(file(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(4096);  // the first page says that all is well
    const std::string rubbish(static_cast<std::size_t>(fs::file_size(file())) - 4096, '\x5a');
    stream.write(rubbish.data(), static_cast<std::streamsize>(rubbish.size()));
  }
  VerdictCache cache(options());
  for (int i = 0; i < 500; ++i) EXPECT_FALSE(cache.find(base::sha256(std::to_string(i))).has_value());
  EXPECT_EQ(warnings_.size(), 1u);
  cache.store("a", verdict(VerdictKind::kPassed));
  EXPECT_TRUE(cache.find("a").has_value());
}

TEST_F(VerdictCacheTest, AFolderThatCannotBeNamesTheFix) {
  base::write_file_atomically(scratch_.path("file"), "x");
  for (const std::string& folder : {scratch_.path("file/cache"), std::string("/proc/none")}) {
    VerdictCacheOptions bad = options();
    bad.folder = folder;
    try {
      VerdictCache cache(bad);
      FAIL() << folder;
    } catch (const base::UserError& error) {
      const std::string message = error.what();
      for (const std::string& part : {folder, std::string("--cache DIR"), std::string("--no-cache")})
        EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }
}

TEST_F(VerdictCacheTest, AFileThatCannotBeOpenedNamesTheFix) {
  fs::create_directories(file());  // a folder in its place
  EXPECT_THROW(VerdictCache cache(options()), base::UserError);
  EXPECT_TRUE(fs::is_directory(file()));
}

TEST_F(VerdictCacheTest, ThreadsShareIt) {
  VerdictCache cache(options());
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; ++i) {
        const std::string key = std::to_string(thread) + "/" + std::to_string(i);
        cache.store(key, verdict(VerdictKind::kPassed, key));
        EXPECT_EQ(cache.find(key)->message, key);
      }
    });
  }
}

TEST_F(VerdictCacheTest, ProcessesShareIt) {
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    const pid_t child = ::fork();
    if (child == 0) {
      int missing = 0;
      try {
        VerdictCache cache(options());
        for (int i = 0; i < 50; ++i) {
          const std::string key = std::to_string(process) + "/" + std::to_string(i);
          cache.store(key, verdict(VerdictKind::kPassed, key));
          if (!cache.find(key)) ++missing;
        }
      } catch (...) {
        missing = 1000;
      }
      ::_exit(missing == 0 && warnings_.empty() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  VerdictCache cache(options());
  for (int process = 0; process < 4; ++process) {
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(cache.find(std::to_string(process) + "/" + std::to_string(i)).has_value());
  }
}

// Of several processes that find one damaged file, one moves it and none loses what the others wrote since.
TEST_F(VerdictCacheTest, ProcessesThatFindDamageTogether) {
  fs::create_directories(scratch_.path("cache"));
  base::write_file_atomically(file(), std::string(10'000, 'x'));
  std::vector<pid_t> children;
  for (int process = 0; process < 6; ++process) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool kept = false;
      try {
        VerdictCache cache(options());
        cache.store(std::to_string(process), verdict(VerdictKind::kPassed));
        kept = cache.find(std::to_string(process)).has_value();
      } catch (...) {
      }
      ::_exit(kept ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  VerdictCache cache(options());
  for (int process = 0; process < 6; ++process) EXPECT_TRUE(cache.find(std::to_string(process)).has_value()) << process;
}

TEST_F(VerdictCacheTest, TheKeyDependsOnEverything) {
  Submission submission;
  submission.task = {"t", "class Model: pass", "Model"};
  submission.code = "class ModelNew: pass";
  CacheContext context{"1", "cpu", "h200", "{}"};
  std::set<std::string> keys = {verdict_key(submission, context)};
  const auto changed = [&](auto change) {
    Submission other = submission;
    CacheContext place = context;
    change(other, place);
    return keys.insert(verdict_key(other, place)).second;
  };
  EXPECT_FALSE(changed([](Submission& s, CacheContext&) { s.id = "another"; }));
  EXPECT_FALSE(changed([](Submission& s, CacheContext&) { s.task.id = "another"; }));
  EXPECT_TRUE(changed([](Submission& s, CacheContext&) { s.task.source += "\n"; }));
  EXPECT_TRUE(changed([](Submission& s, CacheContext&) { s.task.entry_point = ""; }));
  EXPECT_TRUE(changed([](Submission& s, CacheContext&) { s.code += " "; }));
  EXPECT_TRUE(changed([](Submission& s, CacheContext&) { s.extraction = "the last fenced block"; }));
  EXPECT_TRUE(changed([](Submission& s, CacheContext&) { s.name = "k.py"; }));
  EXPECT_TRUE(changed([](Submission&, CacheContext& c) { c.judge_version = "2"; }));
  EXPECT_TRUE(changed([](Submission&, CacheContext& c) { c.backend = "cuda"; }));
  EXPECT_TRUE(changed([](Submission&, CacheContext& c) { c.target = "a100"; }));
  EXPECT_TRUE(changed([](Submission&, CacheContext& c) { c.backend = "cuda", c.device = "NVIDIA H200"; }));
  EXPECT_TRUE(changed([](Submission&, CacheContext& c) { c.backend = "cuda", c.device = "NVIDIA H100"; }))
      << "times of one GPU are served on another";
  EXPECT_TRUE(changed([](Submission&, CacheContext& c) { c.options = "{ }"; }));
  // text that moves from one part into the next
  EXPECT_TRUE(changed([](Submission&, CacheContext& c) { c.backend = "cpuh", c.target = "200"; }));
}

TEST_F(VerdictCacheTest, AnAnswerCountsByItsCode) {
  const auto key = [](const std::string& answer) {
    Submission submission;
    submission.take_answer(answer);
    return verdict_key(submission, {});
  };
  const std::string code = "```python\nclass ModelNew:\n    def forward(self, x):\n        return x\n```\n";
  EXPECT_EQ(key("Sure!\n" + code), key("Let me see.\n" + code + "Done."));
  EXPECT_NE(key(code), key("none at all"));
}

TEST_F(VerdictCacheTest, ACachingJudgeAsksOnce) {
  int asked = 0;
  ScriptedJudge inner([&](const Submission& one) {
    ++asked;
    return verdict(one.code == "ours" ? VerdictKind::kInfrastructure : VerdictKind::kWrong, one.code);
  });
  VerdictCache cache(options());
  CachingJudge judge(inner, cache, {"1", "cpu", "h200", "{}"});
  Submission submission;
  submission.code = "theirs";
  const Verdict first = judge.judge(submission);
  EXPECT_EQ(judge.judge(submission), first);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(judge.hits(), 1);
  submission.code = "ours";
  judge.judge(submission);
  judge.judge(submission);
  EXPECT_EQ(asked, 3);
}

TEST(OptionsText, TellsOptionsApart) {
  JudgeOptions options;
  const std::string text = base::field_key(options);
  EXPECT_EQ(base::field_key(JudgeOptions{}), text);
  options.seed = 0;
  EXPECT_NE(base::field_key(options), text);
  options.seed.reset();
  options.without = {"work"};
  EXPECT_NE(base::field_key(options), text);
}

}  // namespace
}  // namespace tritonrl::judge
