#include <gtest/gtest.h>

#include <cstdio>
#include <future>
#include <set>

#include "judge/pool.h"
#include "tests/judge/test_funnel.h"
#include "tests/python/corpus.h"

// The corpus of candidates in the styles that models write, none of them made for the judge: all pass, but for those
// whose tl.dot rounds float32 operands to TF32, which misses the tolerance of 1e-4.

namespace tritonrl::judge {
namespace {

TEST(Corpus, HonestCandidatesPassAndTf32Shows) {
  const std::set<std::string> tf32 = {"bmm_grid3d",       "conv_implicit_gemm", "flash_attention_fwd",
                                      "linear_autotune",  "linear_int8",        "matmul_autotune_heuristics",
                                      "matmul_block_ptr", "matmul_split_k",     "mlp_lazy_pack",
                                      "qkv_packed_init"};
  Pool pool(test_funnel(), {});
  std::vector<std::pair<std::string, std::future<record::Verdict>>> judged;
  for (const python::CorpusPair& pair : python::read_corpus()) {
    if (pair.task_file.starts_with("examples/")) continue;
    Submission one;
    one.id = one.name = pair.task_file.substr(0, pair.task_file.find('.'));
    one.task = {.id = pair.task_file, .source = pair.task, .entry_point = {}};
    one.code = pair.candidate;
    std::string id = one.id;
    judged.emplace_back(std::move(id), pool.submit(std::move(one)));
  }
  int passed = 0;
  for (auto& [id, future] : judged) {
    const record::Verdict verdict = future.get();
    const std::string name = id.substr(id.rfind('/') + 1);
    const auto expected = tf32.contains(name) ? record::VerdictKind::kWrong : record::VerdictKind::kPassed;
    EXPECT_EQ(verdict.kind, expected) << id << ": " << to_string(verdict.kind) << " [" << verdict.rule << "] "
                                      << verdict.message;
    passed += verdict.kind == record::VerdictKind::kPassed;
  }
  std::printf("corpus: %d of %zu passed, %zu round to TF32\n", passed, judged.size(), tf32.size());
}

}  // namespace
}  // namespace tritonrl::judge
