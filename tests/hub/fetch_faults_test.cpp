#include <atomic>
#include <chrono>

#include "tests/hub/served_fetch.h"

namespace tritonrl::hub {
namespace {

namespace fs = std::filesystem;

// Faults that pass: the fetch goes on and ends well, or ends and can go on.
using FetchFaults = ServedFetch;

TEST_F(FetchFaults, resumes_a_cut_transfer) {
  server_.set_far_fault([](const ServedRequest& request, ServedAnswer answer) {
    if (!request.has("range")) answer.cut_after = 1'000'000;
    return answer;
  });
  expect_whole(get());
  const auto transfers = server_.transfers("model.safetensors");
  ASSERT_EQ(transfers.size(), 2u);
  EXPECT_FALSE(transfers[0].has("range"));
  EXPECT_EQ(transfers[1].header("range"), "bytes=1000000-");
}

TEST_F(FetchFaults, resumes_what_an_earlier_process_left) {
  write_text(part_of_weights(), weights().substr(0, 2'999'990));
  expect_whole(get());
  ASSERT_EQ(server_.transfers("model.safetensors").size(), 1u);
  EXPECT_EQ(server_.transfers("model.safetensors")[0].header("range"), "bytes=2999990-");
}

TEST_F(FetchFaults, asks_for_nothing_when_the_part_is_all) {
  write_text(part_of_weights(), weights());
  expect_whole(get());
  EXPECT_TRUE(server_.transfers("model.safetensors").empty());
}

TEST_F(FetchFaults, begins_anew_when_the_part_is_wrong) {
  for (const std::string& part : {std::string(5000, 'x'), std::string(3'000'000, 'x'), std::string(4'000'000, 'x')}) {
    fs::remove_all(scratch_.path("hub"));
    write_text(part_of_weights(), part);
    expect_whole(get());
  }
}

TEST_F(FetchFaults, begins_anew_when_the_range_is_ignored) {
  write_text(part_of_weights(), weights().substr(0, 1234));
  const std::string all = weights();
  server_.set_far_fault([&](const ServedRequest&, ServedAnswer) { return ServedAnswer{.body = all}; });
  expect_whole(get());
  EXPECT_EQ(server_.transfers("model.safetensors").size(), 1u);
}

TEST_F(FetchFaults, begins_anew_when_another_range_comes) {
  write_text(part_of_weights(), weights().substr(0, 1234));
  server_.set_far_fault([](const ServedRequest& request, ServedAnswer answer) {
    if (request.has("range")) answer.headers["Content-Range"] = "bytes 17-2999999/3000000";
    return answer;
  });
  expect_whole(get());
  EXPECT_FALSE(server_.transfers("model.safetensors").back().has("range"));
}

TEST_F(FetchFaults, begins_anew_when_the_range_is_refused) {
  write_text(part_of_weights(), weights().substr(0, 1234));
  server_.set_far_fault([](const ServedRequest& request, const ServedAnswer& usual) {
    return request.has("range") ? ServedAnswer{.status = 416} : usual;
  });
  expect_whole(get());
}

TEST_F(FetchFaults, tries_again_after_errors_of_the_server) {
  for (const int status : {500, 502, 503, 429}) {
    SCOPED_TRACE(status);
    fs::remove_all(scratch_.path("hub"));
    auto left = std::make_shared<std::atomic<int>>(2), far_left = std::make_shared<std::atomic<int>>(2);
    server_.set_fault([=](const ServedRequest&, const ServedAnswer& usual) {
      return --*left >= 0 ? ServedAnswer{.status = status} : usual;
    });
    server_.set_far_fault([=](const ServedRequest&, const ServedAnswer& usual) {
      return --*far_left >= 0 ? ServedAnswer{.status = status} : usual;
    });
    expect_whole(get());
    EXPECT_LT(*left, 0);
    EXPECT_LT(*far_left, 0);
  }
}

TEST_F(FetchFaults, waits_as_long_as_the_server_says) {
  std::atomic<int> left = 1;
  server_.set_fault([&](const ServedRequest&, const ServedAnswer& usual) {
    return --left >= 0 ? ServedAnswer{.status = 429, .headers = {{"Retry-After", "1"}}} : usual;
  });
  const auto begin = std::chrono::steady_clock::now();
  expect_whole(get());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(950));
}

TEST_F(FetchFaults, gives_up_after_its_retries_and_keeps_the_part) {
  server_.set_far_fault([](const ServedRequest&, ServedAnswer answer) {
    answer.cut_after = 1000;
    return answer;
  });
  expect_contains(refusal(), "run again to go on");
  EXPECT_EQ(server_.transfers("model.safetensors").size(), 4u);
  EXPECT_EQ(fs::file_size(part_of_weights()), 4000u);
  EXPECT_FALSE(fs::exists(in_cache("snapshots"))) << "files appear when all are there";
  server_.set_far_fault({});
  expect_whole(get());
  EXPECT_EQ(server_.transfers("model.safetensors").back().header("range"), "bytes=4000-");
}

TEST_F(FetchFaults, does_not_wait_for_a_transfer_that_stands_still) {
  server_.set_far_fault([](const ServedRequest& request, ServedAnswer answer) {
    if (!request.has("range")) {
      answer.cut_after = 500'000;
      answer.hang = true;
    }
    return answer;
  });
  expect_whole(fetch(model(), everything, impatient()));
  EXPECT_EQ(server_.transfers("model.safetensors").back().header("range"), "bytes=500000-");
}

TEST_F(FetchFaults, tries_again_where_the_list_is_cut) {
  std::atomic<int> left = 2;
  server_.set_fault([&](const ServedRequest& request, ServedAnswer answer) {
    if (request.target.starts_with("/api/") && --left >= 0) answer.cut_after = 20;
    return answer;
  });
  expect_whole(get());
}

TEST_F(FetchFaults, tries_wrong_content_once_more) {
  std::atomic<int> left = 1;
  server_.set_far_fault([&](const ServedRequest&, ServedAnswer answer) {
    if (--left >= 0) answer.body[77] ^= 1;
    return answer;
  });
  expect_whole(get());
  EXPECT_EQ(server_.transfers("model.safetensors").size(), 2u);
}

TEST_F(FetchFaults, a_file_that_ends_early_is_not_taken) {
  server_.set_far_fault([](const ServedRequest&, ServedAnswer answer) {
    answer.body.resize(std::min<std::size_t>(answer.body.size(), 100));
    return answer;
  });
  expect_contains(refusal(), "the file ended early");
  EXPECT_FALSE(fs::exists(in_cache("snapshots")));
}

}  // namespace
}  // namespace tritonrl::hub
